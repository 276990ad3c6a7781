import { type Line, linesOf, newlineOf } from '#src/lore/lines.js'
import { tagOf } from '#src/lore/rows.js'
import { sectionHeader } from './character-section.js'
import { opensChannel } from './credential.js'

/** Credentials, in the clear or as a hash: in no answer at all (D36). */
const isSecret = (tag: string, text: string): boolean => tag === 'klucz_api' || opensChannel(tag, text)
const topics: ReadonlySet<string> = new Set(['tematy', 'tematy_zastrzezone', 'tematy_zastrzeżone'])

/** What keeps the lines that follow from being told: a section up to the next one, a row for what stands deeper. */
type Withheld = { readonly _tag: 'Section' } | { readonly _tag: 'Row'; readonly indent: number }

const isDeeper = (line: Line, indent: number): boolean =>
  (line._tag === 'Item' || line._tag === 'Text') && line.indent > indent

/** Whether a line still belongs to what began above it. */
const belongs = (line: Line, open: Withheld): boolean =>
  open._tag === 'Row'
    ? isDeeper(line, open.indent)
    : !(line._tag === 'Header' && line.level >= 3) && sectionHeader(line) === null

const beginning = (line: Line, restricted: boolean): Withheld | null => {
  if (!restricted && sectionHeader(line)?.section === 'tematy zastrzeżone') return { _tag: 'Section' }
  const tag = line._tag === 'Item' ? tagOf(line.text)?.tag : undefined
  if (line._tag !== 'Item' || tag === undefined) return null
  return isSecret(tag, line.text) || (!restricted && topics.has(tag))
    ? { _tag: 'Row', indent: line.indent }
    : null
}

/** The numbers of the lines withheld: of credentials, and of restricted topics from who has no view of them. */
export const withheldLines = (text: string, restricted: boolean): ReadonlySet<number> => {
  const withheld = new Set<number>()
  let open: Withheld | null = null
  for (const line of linesOf(text).lines) {
    const begun = beginning(line, restricted)
    if (begun !== null || open === null || !belongs(line, open)) open = begun
    if (open !== null) withheld.add(line.number)
  }
  return withheld
}

/**
 * A document as it may be served whole (D15, ADR 0205): without credentials, and without restricted topics unless the
 * caller's view has them. `cut` tells whether a line was left out.
 */
export const openDocument = (
  text: string,
  restricted: boolean,
): { readonly content: string; readonly cut: boolean } => {
  const withheld = withheldLines(text, restricted)
  if (withheld.size === 0) return { content: text, cut: false }
  const newline = newlineOf(text)
  const kept = linesOf(text).lines.filter(({ number }) => !withheld.has(number))
  return { content: kept.map(line => line.raw + newline).join(''), cut: true }
}

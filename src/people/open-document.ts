import { type Line, linesOf, newlineOf } from '#src/lore/lines.js'
import { belongsToRow, tagOf } from '#src/lore/rows.js'
import { isCredentialTag, isTopicTag, isTopicTitle, opensChannel } from '#src/lore/withheld-tags.js'
import { sectionHeader } from './character-section.js'

/** Credentials, in the clear or as a hash: in no answer at all (D36). */
const isSecret = (tag: string, text: string): boolean => isCredentialTag(tag) || opensChannel(tag, text)

/**
 * What withholds the lines that follow it: a section up to the next one, or up to a header that is no deeper than the
 * one above the section; a row with what is indented below it.
 */
type Withheld =
  | { readonly _tag: 'Section'; readonly levelAbove: number }
  | { readonly _tag: 'Row'; readonly indent: number }

/**
 * Whether a line still belongs to what began above it. In a block of a session any indented text continues the item
 * above it, so one that stands less deep than its row is cut too.
 */
const belongs = (line: Line, open: Withheld): 'yes' | 'open' | 'no' => {
  if (open._tag === 'Row')
    return line._tag === 'Text' && line.indent > 0 ? 'yes' : belongsToRow(line, open.indent)
  const isNextPart = line._tag === 'Header' && line.level <= open.levelAbove
  return isNextPart || sectionHeader(line) !== null ? 'no' : 'yes'
}

const beginning = (line: Line, levelAbove: number, restricted: boolean): Withheld | null => {
  if (!restricted && sectionHeader(line)?.section === 'tematy zastrzeżone')
    return { _tag: 'Section', levelAbove }
  if (line._tag !== 'Item') return null
  const tag = tagOf(line.text)?.tag ?? ''
  const isTopic = isTopicTag(tag) || isTopicTitle(line.text)
  return isSecret(tag, line.text) || (!restricted && isTopic) ? { _tag: 'Row', indent: line.indent } : null
}

/** The numbers of the lines withheld: of credentials, and of restricted topics from who has no view of them. */
export const withheldLines = (text: string, restricted: boolean): ReadonlySet<number> => {
  const withheld = new Set<number>()
  let open: Withheld | null = null
  let levelAbove = 0
  for (const line of linesOf(text).lines) {
    const stands = open === null ? 'no' : belongs(line, open)
    if (stands === 'no') open = beginning(line, levelAbove, restricted)
    if (stands === 'no' && line._tag === 'Header') levelAbove = line.level
    // A blank line says nothing, and what follows it may still be part of the row.
    if (open !== null && stands !== 'open') withheld.add(line.number)
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

import { type Line, linesOf, newlineOf } from '#src/domain/lore/lines/lines.js'
import { belongsToRow, tagOf } from '#src/domain/lore/rows/rows.js'
import { isTopicLine, isTopicTitle } from '#src/domain/lore/topic-text.js'
import { isCredentialTag, isTopicTag, opensChannel } from '#src/domain/lore/withheld-tags.js'
import { sectionHeader } from './character-section.js'

/** Whether a row holds a credential, in the clear or as a hash. No answer contains one (D36). */
const isSecret = (tag: string, text: string): boolean => isCredentialTag(tag) || opensChannel(tag, text)

/**
 * What withholds the lines after it: a section up to the next one that the format knows, or up to a header of
 * `level` or less; a row with the lines indented below it; a line of a fence up to the end of the fence.
 */
type Withheld =
  | { readonly _tag: 'Section'; readonly level: number }
  | { readonly _tag: 'Row'; readonly indent: number }
  | { readonly _tag: 'Fence' }

/**
 * Whether a line belongs to the open part. In a block of a session any indented text continues the item above
 * it, so text that is indented less than its row is withheld too.
 */
const belongs = (line: Line, open: Withheld): 'yes' | 'open' | 'no' => {
  if (open._tag === 'Fence')
    return line._tag === 'Fenced' && !line.raw.trimStart().startsWith('```') ? 'yes' : 'no'
  if (open._tag === 'Row')
    return line._tag === 'Text' && line.indent > 0 ? 'yes' : belongsToRow(line, open.indent)
  if (line._tag === 'Header') return line.level <= open.level ? 'no' : 'yes'
  return (sectionHeader(line)?.section ?? null) === null ? 'yes' : 'no'
}

const topicsFrom = (line: Line, levelAbove: number): Withheld | null => {
  if (line._tag === 'Item')
    return isTopicTag(tagOf(line.text)?.tag ?? '') || isTopicLine(line.text)
      ? { _tag: 'Row', indent: line.indent }
      : null
  if (!isTopicLine(line.raw)) return null
  if (line._tag === 'Fenced') return { _tag: 'Fence' }
  if (line._tag === 'Header') return { _tag: 'Section', level: line.level }
  if (line._tag === 'Text' && !isTopicTitle(line.raw)) return { _tag: 'Row', indent: line.indent }
  return { _tag: 'Section', level: levelAbove }
}

const openWithheld = (line: Line, levelAbove: number, mayReadRestricted: boolean): Withheld | null => {
  if (line._tag === 'Item' && isSecret(tagOf(line.text)?.tag ?? '', line.text))
    return { _tag: 'Row', indent: line.indent }
  return mayReadRestricted ? null : topicsFrom(line, levelAbove)
}

/**
 * The numbers of the lines to withhold: credentials, and restricted topics unless the caller may read them.
 */
export const findWithheld = (lines: ReadonlyArray<Line>, mayReadRestricted: boolean): ReadonlySet<number> => {
  const withheld = new Set<number>()
  let open: Withheld | null = null
  let levelAbove = 0
  for (const line of lines) {
    const stands = open === null ? 'no' : belongs(line, open)
    if (stands === 'no') open = openWithheld(line, levelAbove, mayReadRestricted)
    if (stands === 'no' && line._tag === 'Header') levelAbove = line.level
    // A blank line reveals nothing, and the next line may still belong to the row.
    if (open !== null && stands !== 'open') withheld.add(line.number)
  }
  return withheld
}

/** `findWithheld` for a text. */
export const withheldLinesOf = (text: string, mayReadRestricted: boolean): ReadonlySet<number> =>
  findWithheld(linesOf(text).lines, mayReadRestricted)

/**
 * A document in the form that may be served whole (D15, docs/spec/restricted-topics.md#files): without
 * credentials, and without restricted topics unless the caller's view includes them. `cut` is true when a
 * line was left out.
 */
export const openDocument = (
  text: string,
  mayReadRestricted: boolean,
): { readonly content: string; readonly cut: boolean } => {
  const withheld = withheldLinesOf(text, mayReadRestricted)
  if (withheld.size === 0) return { content: text, cut: false }
  const newline = newlineOf(text)
  const kept = linesOf(text).lines.filter(({ number }) => !withheld.has(number))
  return { content: kept.map(line => line.raw + newline).join(''), cut: true }
}

import { perValue } from '#src/domain/caching/per-value.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Line, linesOf, newlineOf, readLine } from '#src/domain/lore/lines.js'
import { belongsToRow, tagOf } from '#src/domain/lore/rows/rows.js'
import {
  breaksTitle,
  isCredentialTag,
  isTopicLine,
  isTopicTag,
  isTopicTitle,
  mayNameTopics,
  opensChannel,
} from '#src/domain/lore/topic-text.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { sectionHeader } from './section-body.js'

/**
 * The numbers, counted from 1, of the lines to withhold: rows with credentials, and restricted topics unless
 * `mayReadRestricted`. Blank lines in or after a row, and the closing border of a fence, stay.
 */
export const findWithheldInSlices = function* (
  lines: ReadonlyArray<Line>,
  mayReadRestricted: boolean,
): Sliced<ReadonlySet<number>> {
  const withheld = new Set<number>()
  let current: Withheld | null = null
  let levelAbove = 0
  let before: string | null = null
  for (const [at, line] of lines.entries()) {
    const after = mayReadRestricted ? null : brokenTitle(lines, at)
    const belonging = current === null ? 'no' : belongs(line, current)
    if (belonging === 'no') current = startWithheld(line, levelAbove, mayReadRestricted, after ?? before)
    if (belonging === 'no' && line._tag === 'Header') levelAbove = line.level
    // A blank line reveals nothing, and the next line may still belong to the row.
    if (current !== null && belonging !== 'undecided') withheld.add(line.number)
    if (line._tag !== 'Blank') before = after
    if (line.number % linesPerSlice === 0) yield
  }
  return withheld
}

/** Runs `findWithheldInSlices` to its end without yielding. */
export const findWithheld = (lines: ReadonlyArray<Line>, mayReadRestricted: boolean): ReadonlySet<number> =>
  atOnce(findWithheldInSlices(lines, mayReadRestricted))

/** `findWithheld` for a text. */
export const withheldLinesOf = (text: string, mayReadRestricted: boolean): ReadonlySet<number> =>
  findWithheld(linesOf(text).lines, mayReadRestricted)

/**
 * The lines of a file that are withheld from a caller without a right to restricted topics: none where the text can
 * hold no topic. Findings and refusals must not repeat them.
 */
export const restrictedLinesOf = perValue(
  ({ text }: Pick<SourceFile, 'text'>): ReadonlySet<number> =>
    mayNameTopics(text) ? withheldLinesOf(text, false) : noLines,
)

const noLines: ReadonlySet<number> = new Set()

/**
 * A document in the form that may be served whole (D15, docs/spec/restricted-topics.md#files): without the
 * lines that `findWithheld` returns. `cut` is true when a line was left out; then every line that stays ends
 * with the newline of the file (CRLF if it has any), the last one too.
 */
export const visibleDocument = (
  text: string,
  mayReadRestricted: boolean,
): { readonly content: string; readonly cut: boolean } => {
  const withheld = withheldLinesOf(text, mayReadRestricted)
  if (withheld.size === 0) return { content: text, cut: false }
  const newline = newlineOf(text)
  const kept = linesOf(text).lines.filter(({ number }) => !withheld.has(number))
  return { content: kept.map(line => line.raw + newline).join(''), cut: true }
}

/**
 * Whether a row holds a credential, in the clear or as a hash. No answer contains such a row (D36). Only list
 * items are searched: text, headers and fences are not.
 */
const isSecret = (tag: string, text: string): boolean => isCredentialTag(tag) || opensChannel(tag, text)

/**
 * What withholds the lines after it. A section ends at the next section that the format knows, or at a header
 * of `level` or less; for a title in plain text `level` is that of the header above it (0: there is none, so
 * no header ends the section). A row ends with the lines indented below it; a line of a fence, before the
 * closing border.
 */
type Withheld =
  | { readonly _tag: 'Section'; readonly level: number }
  | { readonly _tag: 'Row'; readonly indent: number }
  | { readonly _tag: 'Fence' }

/**
 * Whether a line belongs to the current part; undecided for a blank line below a row. In a block of a session
 * any indented text continues the item above it, so text that is indented less than its row is withheld too.
 */
const belongs = (line: Line, current: Withheld): 'yes' | 'undecided' | 'no' => {
  if (current._tag === 'Fence') return line._tag === 'Fenced' && line.border !== 'Closing' ? 'yes' : 'no'
  if (current._tag === 'Row' && line._tag === 'Hidden')
    return belongsToRow(readLine(line.raw), current.indent) === 'yes' ? 'yes' : 'undecided'
  if (current._tag === 'Row')
    return line._tag === 'Text' && line.indent > 0 ? 'yes' : belongsToRow(line, current.indent)
  if (line._tag === 'Header') return line.level <= current.level ? 'no' : 'yes'
  return (sectionHeader(line)?.section ?? null) === null ? 'yes' : 'no'
}

/**
 * What a line with restricted topics withholds; null for any other line. Text that begins with the title,
 * indented or not, starts a section. Other text that names topics is a row, alone with the lines indented
 * below it. `broken` is the title, on one line, of which the line has a part.
 */
const topicsFrom = (line: Line, levelAbove: number, broken: string | null): Withheld | null => {
  if (line._tag === 'Item')
    return broken !== null || isTopicTag(tagOf(line.text)?.tag ?? '') || isTopicLine(line.text)
      ? { _tag: 'Row', indent: line.indent }
      : null
  if (broken === null && !isTopicLine(line.raw)) return null
  if (line._tag === 'Fenced') return { _tag: 'Fence' }
  if (line._tag === 'Header') return { _tag: 'Section', level: line.level }
  if (line._tag === 'Text' && !isTopicTitle(broken ?? line.raw)) return { _tag: 'Row', indent: line.indent }
  return { _tag: 'Section', level: levelAbove }
}

/** What a line withholds from here on; null when it withholds nothing. */
const startWithheld = (
  line: Line,
  levelAbove: number,
  mayReadRestricted: boolean,
  broken: string | null,
): Withheld | null => {
  // A served document has its comments too, and a caller can read them.
  const seen = line._tag === 'Hidden' ? readLine(line.raw) : line
  if (seen._tag === 'Item' && isSecret(tagOf(seen.text)?.tag ?? '', seen.text))
    return { _tag: 'Row', indent: seen.indent }
  if (holdsSecretComment(line)) return { _tag: 'Row', indent: 'indent' in line ? line.indent : 0 }
  return mayReadRestricted ? null : topicsFrom(line, levelAbove, broken)
}

/** Whether a comment in a line has a row with a credential. */
const holdsSecretComment = ({ comments, raw }: Line): boolean =>
  comments !== undefined &&
  [...raw.matchAll(/@([\p{L}_]{2,40})\s{0,9}:/gu)].some(({ 0: mark, 1: tag = '', index }) =>
    isSecret(tag.toLowerCase(), raw.slice(index + mark.length)),
  )

const linesPerSlice = 1024

/** The text that a title may be broken in: of an item without its mark. */
const wordsOf = (line: Line): string => ('text' in line ? line.text : line.raw)

/** The words of a line and of the next one that is not blank, where a title is broken over them; else null. */
const brokenTitle = (lines: ReadonlyArray<Line>, at: number): string | null => {
  const line = lines[at]
  if (line === undefined || line._tag === 'Blank') return null
  let following = at + 1
  while (lines[following]?._tag === 'Blank') following += 1
  const next = lines[following]
  const [words, others] = [wordsOf(line), next === undefined ? '' : wordsOf(next)]
  return breaksTitle(words, others) ? `${words} ${others}` : null
}

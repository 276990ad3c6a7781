import { nfc } from '#protocol/atoms/nfc.js'
import { tagOf } from '../rows/rows.js'
import { isKnownTag } from '../tag-schema.js'
import type { Line } from './lines.js'

/**
 * Lines that a person meant as a heading or as a row, and that the scanner reads as something else
 * (docs/spec/lore-format.md#near-misses).
 */

type Shown = Extract<Line, { readonly text: string }>

/** Whether something of the line shows and is no code. */
export const isShown = (line: Line | undefined): line is Shown => line !== undefined && 'text' in line

/** Everything that people put before a row by habit: dashes, dots, quotes, numbers, checkboxes, emphasis. */
const marks = /^(?:\[[ xX]\]|[^\p{L}\p{N}@＠#＃]|\(?[\p{L}\p{N}]{1,3}[.)]\s)*/u

/** A text without the marks that people put before a row, and without emphasis. */
export const withoutMarks = (text: string): string => {
  const bare = nfc(text).replace(/[*`\\]/gu, '')
  return bare.slice(marks.exec(bare)?.[0].length ?? 0)
}

const wholeTag = /^[@＠]\s*([\p{L}_]{2,40})(?![\p{L}\p{N}_.@])/u
const bareTag = /^_?([\p{L}_]{2,40}?)_?\s*[:：]/u

/** The tag of role blocks, which no entity has. */
const isTag = (tag: string): boolean => isKnownTag(tag) || tag === 'chat_rola'

const knownTag = (found: RegExpExecArray | null): string | null => {
  const tag = (found?.[1] ?? '').toLowerCase().replace(/_$/u, '')
  return isTag(tag) ? tag : null
}

/**
 * The known tag with which a line begins after any marks; null when there is none. Without an at sign it counts
 * only in an item, and with a colon.
 */
export const tagMeant = (line: Shown): string | null => {
  const text = withoutMarks(line.text)
  return knownTag(wholeTag.exec(text)) ?? (line._tag === 'Item' ? knownTag(bareTag.exec(text)) : null)
}

const laterTag = /[\s,;|–—-][@＠]([\p{L}_]{2,40})\s*[:：]/gu

/** A known tag that begins inside of a value, as where two rows were joined to one line; null when there is none. */
export const tagInside = (value: string): string | null => {
  for (const found of value.matchAll(laterTag)) {
    const tag = knownTag(/^.*[@＠]([\p{L}_]+)/u.exec(found[0]))
    if (tag !== null) return tag
  }
  return null
}

const titleMarks = /^[\s>*+\-–—•\\|]*(?:[#＃♯]{2,6}\s*|[#＃♯]\s+)(?=\S)/u
/** Marks of a quotation, a table or an escape, which prose has before a `#` too. */
const quoted = /^[>|\\]/u
const boldLine = /^(?:\*\*|__)(?!\s)(?:(?!\*\*|__).){1,200}(?:\*\*|__)\s*:?$|^<h[1-6]>.{1,200}$/u
const underline = /^(?:={3,}|-{3,})$/u

/** Tags that a block of its file has once, so that a second one begins another block. */
const firstTags: ReadonlySet<string> = new Set(['typ', 'gameid'])

/** The next line from `at` on of which something shows. */
const nextShown = (lines: ReadonlyArray<Line>, at: number): Line | undefined => {
  let next = at
  while (lines[next]?._tag === 'Blank' || lines[next]?._tag === 'Hidden') next += 1
  return lines[next]
}

/** The tag of a line that is a row; null for every other line. */
export const rowTag = (line: Line | undefined): string | null =>
  line?._tag === 'Item' ? (tagOf(line.text)?.tag ?? null) : null

/** Whether the rows of an item stand below it, as those of a block in the old layout. */
const isAbove = (line: Extract<Line, { _tag: 'Item' }>, below: Line | undefined): boolean =>
  tagMeant(line) === null && below?._tag === 'Item' && below.indent > line.indent && rowTag(below) !== null

/**
 * The lines of a block that look like headings and are none: `#` after other marks or many blanks, and a line in
 * bold, an underlined or a plain one above the row with which another block would begin. Rows below it belong to
 * the heading above it. `strictly`: a line in bold or an underlined one counts above any row.
 */
export const headingsMeant = (below: ReadonlyArray<Line>, strictly: boolean): ReadonlyArray<Shown> => {
  const above = new Set<string>()
  const lastRow = below.findLastIndex(line => rowTag(line) !== null)
  return below.filter((line, at): line is Shown => {
    const own = rowTag(line)
    if (own !== null) above.add(own)
    if (own !== null || !isShown(line) || line._tag === 'Header') return false
    if (line._tag === 'Item' && isAbove(line, nextShown(below, at + 1))) return true
    if (titleMarks.test(line.text)) return !quoted.test(line.text) || at < lastRow
    if (line._tag !== 'Text' || line.indent > 0) return false
    if (underline.test(line.text) && below[at - 1]?._tag === 'Text') return false
    const next = nextShown(below, at + 1)
    const isUnderlined = isShown(next) && underline.test(next.text)
    const row = rowTag(isUnderlined ? nextShown(below, next.number - (below[0]?.number ?? 0) + 1) : next)
    if (row === null) return false
    const isSecond = firstTags.has(row) && above.has(row)
    return isSecond || (strictly && (isUnderlined || boldLine.test(line.text)))
  })
}

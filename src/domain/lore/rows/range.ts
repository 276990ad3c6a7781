import { type Day, dayOf, lastDayOfMonth } from '#protocol/atoms.js'

/** A validity range; both ends are inclusive, null is open (FORMATS 1.5). */
export interface Range {
  readonly from: Day | null
  readonly to: Day | null
}

/** The range without bounds. */
export const always: Range = { from: null, to: null }

const pad = (value: number): string => String(value).padStart(2, '0')

/**
 * Parses a bound `YYYY`, `YYYY-MM` or `YYYY-MM-DD`: `from` takes the first day of the period, `to` the last.
 * Null when the text is no bound.
 */
export const parseBound = (text: string, side: 'from' | 'to'): Day | null => {
  const found = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(text.trim())
  if (found === null) return null
  const year = Number(found[1])
  const month = found[2] === undefined ? (side === 'from' ? 1 : 12) : Number(found[2])
  if (month < 1 || month > 12) return null
  const day = found[3] === undefined ? (side === 'from' ? 1 : lastDayOfMonth(year, month)) : Number(found[3])
  return dayOf(`${String(found[1])}-${pad(month)}-${pad(day)}`)
}

/** Whether FROM <= day <= TO; a missing bound is open. */
export const activeOn = (range: Range, day: Day): boolean =>
  (range.from === null || range.from <= day) && (range.to === null || day <= range.to)

/** A value and its trailing `(from:to)`. `suspect` is true when a side looks like a date and is none. */
export interface Ranged {
  readonly text: string
  readonly range: Range
  readonly suspect: boolean
}

const looksLikeDate = (side: string): boolean => /^\d{4}(\D|$)/.test(side)
const dateShaped = (side: string): boolean => /^\d{4}(-\d{2}){0,2}$/.test(side)

/** The content of a trailing bracket; `range` is null when it is no range. Either may be suspect. */
interface Bracket {
  readonly range: Range | null
  readonly suspect: boolean
}

const plain: Bracket = { range: null, suspect: false }

const readBracket = (inside: string): Bracket => {
  const colon = inside.indexOf(':')
  if (colon < 0 || inside.indexOf(':', colon + 1) >= 0) return plain
  const [left, right] = [inside.slice(0, colon).trim(), inside.slice(colon + 1).trim()]
  const shaped = (side: string): boolean => side === '' || dateShaped(side)
  if (left + right === '' || !shaped(left) || !shaped(right))
    return { range: null, suspect: looksLikeDate(left) || looksLikeDate(right) }
  const [from, to] = [parseBound(left, 'from'), parseBound(right, 'to')]
  const missing = (left !== '' && from === null) || (right !== '' && to === null)
  const inverted = from !== null && to !== null && from > to
  return { range: { from, to }, suspect: missing || inverted }
}

/** Cache of parsed ranges up to `knownMax`: most rows of a corpus share a few months. */
const knownRanges = new Map<string, Bracket>()
const knownMax = 4096
const longestRange = 23

const bracketOf = (inside: string): Bracket => {
  const before = knownRanges.get(inside)
  if (before !== undefined) return before
  const read = readBracket(inside)
  if (inside.length <= longestRange && knownRanges.size < knownMax) knownRanges.set(inside, read)
  return read
}

/**
 * Splits a trailing ` (FROM:TO)` off a value. It is a range only if each side is empty or written as a date
 * and one is not empty; a date that does not exist (`2024-13`) leaves its side open. Anything else stays text
 * (FORMATS 1.5).
 */
export const splitRange = (value: string): Ranged => {
  const text = value.trim()
  const open = text.endsWith(')') ? text.lastIndexOf('(') : -1
  if (open < 0) return { text, range: always, suspect: false }
  const { range, suspect } = bracketOf(text.slice(open + 1, -1))
  return range === null
    ? { text, range: always, suspect }
    : { text: text.slice(0, open).trim(), range, suspect }
}

import { type Day, dayOf, lastDayOfMonth } from '#protocol/atoms.js'

/** The civil day of an instant in a zone (D10). `zone` is an IANA name that Node knows. */
export const civilDay = (epochMs: number, zone: string): Day => daysOf(zone)(epochMs)

/**
 * Milliseconds until the civil day of the zone changes, found by whole seconds; correct also on days of 23 or
 * 25 hours.
 */
export const untilNextDayMs = (epochMs: number, zone: string): number => {
  const dayAt = daysOf(zone)
  const firstMs = epochMs - (epochMs % 1000)
  const today = dayAt(firstMs)
  let [todaySeconds, otherSeconds] = [0, dayHoursMax * 3600]
  while (otherSeconds - todaySeconds > 1) {
    const middle = Math.floor((todaySeconds + otherSeconds) / 2)
    if (dayAt(firstMs + middle * 1000) === today) todaySeconds = middle
    else otherSeconds = middle
  }
  return firstMs + otherSeconds * 1000 - epochMs
}

/** The month `YYYY-MM` before that of a day. */
export const monthBefore = (day: Day): string => {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return month === 1 ? `${year - 1}-12` : `${day.slice(0, 5)}${String(month - 1).padStart(2, '0')}`
}

/** A validity range; both ends are inclusive, null is open (FORMATS 1.5). */
export interface Range {
  readonly from: Day | null
  readonly to: Day | null
}

/** The range without bounds. */
export const always: Range = { from: null, to: null }

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

/** The civil day `days` later; null outside the calendar of four-digit years. */
export const dayPlus = (day: Day, days: number): Day | null =>
  dayOf(new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10))

/** A bound as people write it: only the month when the day is its first (`from`) or last (`to`). */
export const boundText = (day: Day, side: 'from' | 'to'): string => {
  const [year = '', month = '', date = ''] = day.split('-')
  const edge = side === 'from' ? 1 : lastDayOfMonth(Number(year), Number(month))
  return Number(date) === edge ? `${year}-${month}` : day
}

type DayAt = (epochMs: number) => Day

const buildDayAt = (zone: string): DayAt => {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return epochMs => {
    const day = dayOf(parts.format(epochMs))
    if (day === null) throw new Error(`no civil day for ${epochMs} in ${zone}`)
    return day
  }
}

const knownZones = new Map<string, DayAt>()

/**
 * The calendar of a zone. Creating one costs as much as dozens of answers, and a host has one zone, so the
 * first one is kept.
 */
const daysOf = (zone: string): DayAt => {
  const dayAt = knownZones.get(zone) ?? buildDayAt(zone)
  if (knownZones.size === 0) knownZones.set(zone, dayAt)
  return dayAt
}

/** Hours of the longest civil day: 25, and one to spare. */
const dayHoursMax = 26

const pad = (value: number): string => String(value).padStart(2, '0')

/** A value and its trailing `(from:to)`. `suspect` is true when a side looks like a date and is none. */
interface Ranged {
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

const dayMs = 86_400_000

import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { Day } from '#protocol/atoms.js'
import { boundText, dayPlus } from '../rows/day-step.js'
import { activeOn } from '../rows/range.js'
import type { Row } from '../rows/row.js'
import { confirmRow, type RowChange, rangeText } from '../rows/row-change.js'

/** A bound as the caller wrote it, with the day that it means. */
export interface RangeBound {
  readonly text: string
  readonly day: Day
}

/**
 * The change of a tag that a caller asks for. `from` undefined: from now on; null: since ever. `to` null: for
 * ever.
 */
export interface Wanted {
  readonly tag: string
  readonly value: string
  readonly from: RangeBound | null | undefined
  readonly to: RangeBound | null
}

/**
 * The state of the block that a change applies to: rows of the tag in the block, rows active today from any
 * source, and today.
 */
export interface Ground {
  /** In the order of the file. */
  readonly rows: ReadonlyArray<Row>
  /** Active rows of the tag from the block, a reference or a session, in the deciding order. */
  readonly active: ReadonlyArray<Row>
  readonly today: Day
}

/** The day before; the day itself where the calendar begins. */
const before = (day: Day): Day => dayPlus(day, -1) ?? day

/** The month of a day: `2026-06`. */
export const monthOf = (day: Day): string => day.slice(0, 7)

/**
 * The first day of a change that names none: this month, as the lore dates things (FORMATS 1.9), or today
 * when a row that it follows began within the month (docs/spec/tag-writes.md#dates).
 */
export const fromNow = (today: Day, follows: ReadonlyArray<Row>): RangeBound => {
  const month = monthOf(today)
  const first = dayPlus(today, 1 - Number(today.slice(8))) ?? today
  return follows.some(row => (row.range.from ?? '') >= first)
    ? { text: today, day: today }
    : { text: month, day: first }
}

const startsOf = (row: Row): string => row.range.from ?? ''

/** The rows that are active when another value begins; each of them ends the day before. */
const rowsToClose = (rows: ReadonlyArray<Row>, from: Day): ReadonlyArray<Row> =>
  rows.filter(row => startsOf(row) < from && (row.range.to === null || row.range.to >= from))

/**
 * The row that restores the last closed value after `to`, where the new value ends before it; empty
 * otherwise.
 */
const remainder = (tag: string, ended: ReadonlyArray<Row>, to: Day): ReadonlyArray<RowChange> => {
  const row = ended.reduce<Row | null>(
    (last, one) => (last === null || startsOf(one) >= startsOf(last) ? one : last),
    null,
  )
  const next = dayPlus(to, 1)
  if (row === null || next === null || (row.range.to !== null && row.range.to <= to)) return []
  const until = row.range.to === null ? null : boundText(row.range.to, 'to')
  return [
    { _tag: 'Add', tag, value: row.value, range: rangeText(boundText(next, 'from'), until), again: row },
  ]
}

/** Corrects, in its place, a row that begins on the same day. */
const correctRow = (row: Row, { value, from, to }: Wanted): ReadonlyArray<RowChange> => {
  if (row.value === value && (to === null || to.day === row.range.to)) return confirmRow([row], row)
  const range = to === null ? null : rangeText(from?.text ?? null, to.text)
  return [{ _tag: 'Rewrite', row, value, range }]
}

const beginValue = (
  rows: ReadonlyArray<Row>,
  wanted: Wanted,
  from: RangeBound | null,
): Either<Row, Changes> => {
  const { tag, value, to } = wanted
  const start: Day | '' = from?.day ?? ''
  const same = rows.findLast(row => startsOf(row) === start)
  if (same !== undefined) return right(correctRow(same, { ...wanted, from }))
  const later = rows.filter(row => startsOf(row) > start)
  const within = to === null ? undefined : later.find(row => startsOf(row) <= to.day)
  if (within !== undefined) return left(within)
  const next = later.reduce<Day | null>(
    (first, { range }) => (first === null || (range.from ?? first) < first ? range.from : first),
    null,
  )
  const until = to?.text ?? (next === null ? null : boundText(before(next), 'to'))
  const ended = start === '' ? [] : rowsToClose(rows, start)
  const add: RowChange = { _tag: 'Add', tag, value, range: rangeText(from?.text ?? null, until) }
  return right([
    ...ended.map(
      (row): RowChange => ({ _tag: 'Until', row, to: start === '' ? '' : boundText(before(start), 'to') }),
    ),
    add,
    ...(to === null ? [] : remainder(tag, ended, to.day)),
  ])
}

type Changes = ReadonlyArray<RowChange>

/**
 * Gives a dated tag with one value another value: the active row ends the day before and a new row is added,
 * so history is kept (FORMATS 1.9). A row with the same first day is corrected in its place. Before a later
 * row the new value ends the day before that row begins. Left: the row that begins within the requested days.
 */
export const scalarChange = (wanted: Wanted, { rows, active, today }: Ground): Either<Row, Changes> => {
  const decides = active.at(-1)
  if (wanted.from !== undefined) return beginValue(rows, wanted, wanted.from)
  if (decides?.value === wanted.value) {
    const { to } = wanted
    const ends = to !== null && rows.includes(decides) && decides.range.to !== to.day
    return right(ends ? [{ _tag: 'Until', row: decides, to: to.text }] : confirmRow(rows, decides))
  }
  return beginValue(rows, wanted, fromNow(today, active))
}

/**
 * Ends active rows: each at `to`, or the day before `from`. Removes a row that would then end before it
 * begins.
 */
export const endRows = (
  rows: ReadonlyArray<Row>,
  { from, to }: Pick<Wanted, 'from' | 'to'>,
  today: Day,
): Changes =>
  rows
    .filter(row => activeOn(row.range, from?.day ?? today))
    .flatMap((row): Changes => {
      const last = to?.day ?? before(from?.day ?? fromNow(today, [row]).day)
      if (row.range.to === last) return confirmRow(rows, row)
      return last < startsOf(row)
        ? [{ _tag: 'Drop', row }]
        : [{ _tag: 'Until', row, to: to?.text ?? boundText(last, 'to') }]
    })

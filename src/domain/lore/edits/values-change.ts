import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { nameKey, nfc } from '#protocol/atoms.js'
import type { Row } from '../rows/row.js'
import { confirmRow, type RowChange, rangeText } from '../rows/row-change.js'
import { nameTags, referenceTags } from '../rows/rows.js'
import type { TagRule } from '../tag-schema.js'
import { endRows, fromNow, type Ground, scalarChange, type Wanted } from './scalar-change.js'

type Changes = ReadonlyArray<RowChange>

/**
 * Whether values of the tag have a history, which a change keeps. Spellings of names have none, even dated
 * ones (docs/spec/tag-writes.md#dates).
 */
export const isHistory = (rule: TagRule): boolean => rule.dated && !nameTags.has(rule.tag)

const same = (tag: string, one: string, other: string): boolean =>
  nameTags.has(tag) || referenceTags.has(tag) ? nameKey(one) === nameKey(other) : nfc(one) === nfc(other)

const add = (
  { tag, value }: Wanted,
  range: { readonly from: string | null; readonly to: string | null },
): Changes => [{ _tag: 'Add', tag, value, range: rangeText(range.from, range.to) }]

const meets = (row: Row, from: string, to: string | null): boolean =>
  (to === null || (row.range.from ?? '') <= to) && (row.range.to === null || row.range.to >= from)

const holds = (row: Row, from: string, to: string | null): boolean =>
  (row.range.from ?? '') <= from && (row.range.to === null || (to !== null && row.range.to >= to))

/**
 * Adds a value to a tag of several values. Left: a row with this value that is active for a part of the
 * requested days.
 */
const another = (rule: TagRule, wanted: Wanted, ground: Ground): Either<Row, Changes> => {
  const { tag, value, from, to } = wanted
  const rows = ground.rows.filter(row => same(tag, row.value, value))
  if (from === undefined) {
    const now = ground.active.find(row => same(tag, row.value, value))
    if (now !== undefined) {
      const ends = to !== null && rows.includes(now) && now.range.to !== to.day
      return right(ends ? [{ _tag: 'Until', row: now, to: to.text }] : confirmRow(rows, now))
    }
  }
  const start = from === undefined ? (isHistory(rule) ? fromNow(ground.today, rows) : null) : from
  const met = rows.filter(row => meets(row, start?.day ?? '', to?.day ?? null))
  const holding = met.filter(row => holds(row, start?.day ?? '', to?.day ?? null))
  if (holding.length > 0) return right(holding.flatMap(row => confirmRow(rows, row)))
  const [first] = met
  if (first !== undefined) return left(first)
  return right(add(wanted, { from: start?.text ?? null, to: to?.text ?? null }))
}

/** Replaces the value of the last row: a tag that is not dated has no history. */
const replaceValue = ({ tag, value }: Wanted, rows: ReadonlyArray<Row>): Changes => {
  const row = rows.at(-1)
  if (row === undefined) return [{ _tag: 'Add', tag, value, range: '' }]
  const isSame = row.value === value && row.range.from === null && row.range.to === null
  return isSame ? confirmRow(rows, row) : [{ _tag: 'Rewrite', row, value, range: '' }]
}

/** The row changes that give a tag a value. Left: the row that excludes it. */
export const valueSet = (rule: TagRule, wanted: Wanted, ground: Ground): Either<Row, Changes> => {
  if (rule.multi) return another(rule, wanted, ground)
  return rule.dated ? scalarChange(wanted, ground) : right(replaceValue(wanted, ground.rows))
}

/**
 * The row changes that end a value: with a history its rows end, without one they are removed. A null value
 * means all values.
 */
export const valueRemoved = (
  rule: TagRule,
  value: string | null,
  { from, to }: Pick<Wanted, 'from' | 'to'>,
  { rows, today }: Ground,
): Changes => {
  const named = value === null ? rows : rows.filter(row => same(rule.tag, row.value, value))
  return isHistory(rule)
    ? endRows(named, { from, to }, today)
    : named.map((row): RowChange => ({ _tag: 'Drop', row }))
}

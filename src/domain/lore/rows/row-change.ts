import { parseBound, type Range } from './range.js'
import type { Row } from './row.js'

/** The days of a row as written: `2024-01:2024-05`, `:2024-05`, empty for always. */
export type RangeText = string

/**
 * A change of one row of a block; the other rows keep their lines. Every change that keeps the row removes
 * its ` (auto)` mark, because a person now vouches for it (FORMATS 10).
 */
export type RowChange =
  /**
   * Adds a row after the last one of its tag. `again` is a row of the block whose continuation lines are
   * repeated.
   */
  | {
      readonly _tag: 'Add'
      readonly tag: string
      readonly value: string
      readonly range: RangeText
      readonly again?: Row
    }
  /** Replaces the value of a row; `range` null keeps the days as written. */
  | {
      readonly _tag: 'Rewrite'
      readonly row: Row
      readonly value: string
      readonly range: RangeText | null
    }
  /** Replaces the last day; value and first day stay as written. */
  | { readonly _tag: 'Until'; readonly row: Row; readonly to: string }
  /** Removes only the ` (auto)` mark. */
  | { readonly _tag: 'Unmark'; readonly row: Row }
  | { readonly _tag: 'Drop'; readonly row: Row }

/**
 * The change when a person confirms a row: none, or `Unmark` when a machine wrote it. `rows` are those of the
 * block.
 */
export const confirmRow = (rows: ReadonlyArray<Row>, row: Row | undefined): ReadonlyArray<RowChange> =>
  row?.auto === true && rows.includes(row) ? [{ _tag: 'Unmark', row }] : []

/** The range as a row is written, such as `2024-01:`; empty without either bound. */
export const rangeText = (from: string | null, to: string | null): RangeText =>
  from === null && to === null ? '' : `${from ?? ''}:${to ?? ''}`

const isInverted = ({ from, to }: Range): boolean => from !== null && to !== null && from > to

const rangeOf = (text: RangeText): Range => {
  const [from = '', to = ''] = text.split(':')
  return { from: parseBound(from, 'from'), to: parseBound(to, 'to') }
}

/** Whether a change gives a row a last day before its first. */
export const endsFirst = (change: RowChange): boolean => {
  switch (change._tag) {
    case 'Add':
      return isInverted(rangeOf(change.range))
    case 'Rewrite':
      return change.range !== null && isInverted(rangeOf(change.range))
    case 'Until':
      return isInverted({ from: change.row.range.from, to: parseBound(change.to, 'to') })
    case 'Unmark':
    case 'Drop':
      return false
  }
}

import { bound, type Range } from './range.js'
import type { Row } from './row.js'

/** The days of a row as they are written: `2024-01:2024-05`, `:2024-05`, empty for always. */
export type RangeText = string

/**
 * What a write does to one row of a block. Nothing else of the block moves. Every change that leaves the row makes it a
 * person's: its ` (auto)` mark goes (FORMATS 10).
 */
export type RowChange =
  /** A new row behind the last one of its tag; `again` is a row of the block whose further lines it repeats. */
  | {
      readonly _tag: 'Add'
      readonly tag: string
      readonly value: string
      readonly range: RangeText
      readonly again?: Row
    }
  /** Another value in the place of a row; `range` null keeps the days as they are written. */
  | {
      readonly _tag: 'Rewrite'
      readonly row: Row
      readonly value: string
      readonly range: RangeText | null
    }
  /** Another last day; value and first day stay as they are written. */
  | { readonly _tag: 'Until'; readonly row: Row; readonly to: string }
  /** The row stays as it is written, and is a person's from now on. */
  | { readonly _tag: 'Unmark'; readonly row: Row }
  | { readonly _tag: 'Drop'; readonly row: Row }

/** A row that a person confirms: nothing to change, unless a machine wrote it. `rows` are those of the block. */
export const confirm = (rows: ReadonlyArray<Row>, row: Row | undefined): ReadonlyArray<RowChange> =>
  row?.auto === true && rows.includes(row) ? [{ _tag: 'Unmark', row }] : []

export const rangeText = (from: string | null, to: string | null): RangeText =>
  from === null && to === null ? '' : `${from ?? ''}:${to ?? ''}`

const isInverted = ({ from, to }: Range): boolean => from !== null && to !== null && from > to

const rangeOf = (text: RangeText): Range => {
  const [from = '', to = ''] = text.split(':')
  return { from: bound(from, 'from'), to: bound(to, 'to') }
}

/** Whether a row would end before it begins. */
export const endsFirst = (change: RowChange): boolean => {
  switch (change._tag) {
    case 'Add':
      return isInverted(rangeOf(change.range))
    case 'Rewrite':
      return change.range !== null && isInverted(rangeOf(change.range))
    case 'Until':
      return isInverted({ from: change.row.range.from, to: bound(change.to, 'to') })
    case 'Unmark':
    case 'Drop':
      return false
  }
}

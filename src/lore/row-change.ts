import { bound, type Range } from './range.js'
import type { Row } from './row.js'

/** The days of a row as they are written: `2024-01:2024-05`, `:2024-05`, empty for always. */
export type RangeText = string

/** What a write does to one row of a block. Nothing else of the block moves. */
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
  /** Another last day; value, first day and mark stay as they are written. */
  | { readonly _tag: 'Until'; readonly row: Row; readonly to: string }
  | { readonly _tag: 'Drop'; readonly row: Row }

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
    case 'Drop':
      return false
  }
}

import type { Day } from '#protocol/atoms.js'
import { parseBound } from '#src/domain/lore/rows/range.js'
import type { Transition } from './transition.js'

/**
 * The last day that the `until` of a row covers; a month lasts to its last day. Null: open, or unreadable (a
 * finding).
 */
export const lastDayOf = (row: Transition): Day | null =>
  row.until === null
    ? null
    : parseBound(row.until_precision === 'month' ? row.until.slice(0, 7) : row.until, 'to')

/** Whether something that ends with `last` is still in force on `day`. */
export const isInForceOn = (last: Day | null, day: Day): boolean => last === null || day <= last

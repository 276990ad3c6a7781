import type { Day } from '#protocol/atoms.js'
import { civilDay } from '#src/domain/lore/rows/civil-day.js'
import type { Batch } from './batch.js'

/** A batch with the civil day on which it ran. */
export interface DatedBatch extends Batch {
  readonly day: Day
}

/**
 * The batches with their civil days in a zone (IANA name). `at` must be a valid instant, which the parser
 * checks.
 */
export const dateBatches = (batches: ReadonlyArray<Batch>, zone: string): ReadonlyArray<DatedBatch> =>
  batches.map(batch => ({ ...batch, day: civilDay(Date.parse(batch.at), zone) }))

/** The month `YYYY-MM` in which a batch ran, not the one that it settles (D55). */
export const processingMonthOf = (batch: DatedBatch): string => batch.day.slice(0, 7)

/** The month that is `back` months before a day `YYYY-MM-DD`, as `YYYY-MM`. */
export const monthsBefore = (day: string, back: number): string => {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - back
  const year = String(Math.max(0, Math.floor(months / 12))).padStart(4, '0')
  return `${year}-${String((((months % 12) + 12) % 12) + 1).padStart(2, '0')}`
}

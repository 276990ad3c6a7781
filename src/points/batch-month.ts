import type { Batch } from './batch.js'

/**
 * The month a batch counts for: the settled one; of an adopted run that spanned several, the month it was
 * processed in.
 */
export const monthOf = (batch: Batch): string => batch.month ?? batch.at.slice(0, 7)

/** The civil day of a batch: the date it is written with. */
export const dateOf = (batch: Batch): string => batch.at.slice(0, 10)

/** The month `back` months before that of a day `YYYY-MM-DD`, as `YYYY-MM`. */
export const monthsBefore = (day: string, back: number): string => {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - back
  const year = String(Math.max(0, Math.floor(months / 12))).padStart(4, '0')
  return `${year}-${String((((months % 12) + 12) % 12) + 1).padStart(2, '0')}`
}

import { type Day, dayOf, lastDayOfMonth } from '#protocol/atoms.js'

const dayMs = 86_400_000

/** The civil day `days` later; null outside the calendar of four-digit years. */
export const dayPlus = (day: Day, days: number): Day | null =>
  dayOf(new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10))

/** A bound as people write it: only the month when the day is its first (`from`) or last (`to`). */
export const boundText = (day: Day, side: 'from' | 'to'): string => {
  const [year = '', month = '', date = ''] = day.split('-')
  const edge = side === 'from' ? 1 : lastDayOfMonth(Number(year), Number(month))
  return Number(date) === edge ? `${year}-${month}` : day
}

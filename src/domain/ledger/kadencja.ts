import { type Day, dayOf } from '#protocol/atoms.js'
import type { Kadencja } from '#protocol/ledger.js'

/** Whether a Rada takes office on the day (B 4.9). */
export const isTakingOffice = (day: Day): boolean => day.endsWith('-12-31')

/** The kadencja of a day: 31 December to 30 December, named by the year in which it ends (D45). */
export const kadencjaOf = (day: Day): Kadencja => {
  const year = Number(day.slice(0, 4)) + (isTakingOffice(day) ? 1 : 0)
  const pad = (value: number): string => String(value).padStart(4, '0')
  return { year, from: dayOf(`${pad(year - 1)}-12-31`) ?? day, to: dayOf(`${pad(year)}-12-30`) ?? day }
}

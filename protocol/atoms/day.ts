import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

export interface DayBrand {
  readonly Day: unique symbol
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const daysIn = (year: number, month: number): number => {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

const isDay = (text: string): boolean => {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (found === null) return false
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])]
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

/** A civil day `YYYY-MM-DD` that exists. Days compare as text. */
export const Day = t.brand(t.string, (text): text is t.Branded<string, DayBrand> => isDay(text), 'Day')
export type Day = t.TypeOf<typeof Day>

/** The day in a text; null when there is no such day. */
export const dayOf = (text: string): Day | null => {
  const decoded = Day.decode(text)
  return isLeft(decoded) ? null : decoded.right
}

/** Last day of a month as a number, also in leap years. `month` is 1 to 12. */
export const lastDayOfMonth = daysIn

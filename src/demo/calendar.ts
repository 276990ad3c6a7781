/** A day as the number of days since 1970-01-01. */
export type EpochDay = number

const pad = (value: number): string => String(value).padStart(2, '0')

/** Year, month, day of an epoch day (proleptic Gregorian). */
export const civilOf = (
  day: EpochDay,
): { readonly year: number; readonly month: number; readonly day: number } => {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return { year, month, day: ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1 }
}

/** The epoch day of a civil date. */
export const epochDay = (year: number, month: number, day: number): EpochDay => {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    ofYear -
    719_468
  )
}

export const dayText = (day: EpochDay): string => {
  const civil = civilOf(day)
  return `${civil.year}-${pad(civil.month)}-${pad(civil.day)}`
}

export const monthText = (day: EpochDay): string => dayText(day).slice(0, 7)

/** An instant of a day, in UTC; `minute` counts from midnight. */
export const instantText = (day: EpochDay, minute: number): string =>
  `${dayText(day)}T${pad(Math.floor(minute / 60) % 24)}:${pad(minute % 60)}:00Z`

/** The first and the last day of play in the demo world. */
export const firstDay = epochDay(2019, 3, 2)
export const lastDay = epochDay(2026, 6, 12)

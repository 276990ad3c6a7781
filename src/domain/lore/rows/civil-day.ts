import { type Day, dayOf } from '#protocol/atoms.js'

type DayAt = (epochMs: number) => Day

const buildDayAt = (zone: string): DayAt => {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return epochMs => {
    const day = dayOf(parts.format(epochMs))
    if (day === null) throw new Error(`no civil day for ${epochMs} in ${zone}`)
    return day
  }
}

const knownZones = new Map<string, DayAt>()

/**
 * The calendar of a zone. Creating one costs as much as dozens of answers, and a host has one zone, so the
 * first one is kept.
 */
const daysOf = (zone: string): DayAt => {
  const dayAt = knownZones.get(zone) ?? buildDayAt(zone)
  if (knownZones.size === 0) knownZones.set(zone, dayAt)
  return dayAt
}

/** The civil day of an instant in a zone (D10). `zone` is an IANA name that Node knows. */
export const civilDay = (epochMs: number, zone: string): Day => daysOf(zone)(epochMs)

/** Hours of the longest civil day: 25, and one to spare. */
const dayHoursMax = 26

/**
 * Milliseconds until the civil day of the zone changes, found by whole seconds; correct also on days of 23 or
 * 25 hours.
 */
export const untilNextDayMs = (epochMs: number, zone: string): number => {
  const dayAt = daysOf(zone)
  const firstMs = epochMs - (epochMs % 1000)
  const today = dayAt(firstMs)
  let [todaySeconds, otherSeconds] = [0, dayHoursMax * 3600]
  while (otherSeconds - todaySeconds > 1) {
    const middle = Math.floor((todaySeconds + otherSeconds) / 2)
    if (dayAt(firstMs + middle * 1000) === today) todaySeconds = middle
    else otherSeconds = middle
  }
  return firstMs + otherSeconds * 1000 - epochMs
}

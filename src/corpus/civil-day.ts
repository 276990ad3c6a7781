import { type Day, dayOf } from '#protocol/atoms/day.js'

/** The civil day of an instant in a zone (D10). `zone` is an IANA name that Node knows. */
export const civilDay = (epochMs: number, zone: string): Day => {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const day = dayOf(parts.format(epochMs))
  if (day === null) throw new Error(`no civil day for ${epochMs} in ${zone}`)
  return day
}

const hourMs = 3_600_000
const stepsMs = [hourMs, 60_000, 1000]

/** Milliseconds until the civil day of the zone changes; right also on days of 23 or 25 hours. */
export const untilNextDayMs = (epochMs: number, zone: string): number => {
  const today = civilDay(epochMs, zone)
  let atMs = epochMs - (epochMs % 1000)
  for (const stepMs of stepsMs) while (civilDay(atMs + stepMs, zone) === today) atMs += stepMs
  return atMs + 1000 - epochMs
}

import * as t from 'io-ts'

export interface InstantBrand {
  readonly Instant: unique symbol
}

/** Whether the day is on the calendar: `Date.parse` takes 31 June for 1 July. */
const isOnCalendar = (text: string): boolean => {
  const epochMs = Date.parse(text)
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(text.slice(0, 19))
}

/** An ISO-8601 UTC instant as `Date.prototype.toISOString` writes it. */
export const Instant = t.brand(
  t.string,
  (text): text is t.Branded<string, InstantBrand> =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text) && isOnCalendar(text),
  'Instant',
)
export type Instant = t.TypeOf<typeof Instant>

/** The instant of a time in milliseconds since 1970. */
export const instantOf = (epochMs: number): Instant => new Date(epochMs).toISOString() as Instant

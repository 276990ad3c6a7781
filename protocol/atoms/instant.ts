import * as t from 'io-ts'

export interface InstantBrand {
  readonly Instant: unique symbol
}

/** An ISO-8601 UTC instant as `Date.prototype.toISOString` writes it. */
export const Instant = t.brand(
  t.string,
  (text): text is t.Branded<string, InstantBrand> =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text) && !Number.isNaN(Date.parse(text)),
  'Instant',
)
export type Instant = t.TypeOf<typeof Instant>

/** The instant of a time in milliseconds since 1970. */
export const instantOf = (epochMs: number): Instant => new Date(epochMs).toISOString() as Instant

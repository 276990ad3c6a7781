import * as t from 'io-ts'

export interface SnowflakeBrand {
  readonly Snowflake: unique symbol
}

/** An id of the chat platform: a whole number of 64 bits, as text because it does not fit a JSON number. */
export const Snowflake = t.brand(
  t.string,
  (text): text is t.Branded<string, SnowflakeBrand> =>
    /^[1-9]\d{0,19}$/.test(text) && BigInt(text) < 2n ** 64n,
  'Snowflake',
)
export type Snowflake = t.TypeOf<typeof Snowflake>

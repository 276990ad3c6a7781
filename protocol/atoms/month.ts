import * as t from 'io-ts'

export interface MonthBrand {
  readonly Month: unique symbol
}

/** A calendar month `YYYY-MM`. Months compare as text. */
export const Month = t.brand(
  t.string,
  (text): text is t.Branded<string, MonthBrand> => /^\d{4}-(0[1-9]|1[0-2])$/.test(text),
  'Month',
)
export type Month = t.TypeOf<typeof Month>

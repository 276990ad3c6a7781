import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'

/** Rows as their codec says. A row that is not so was not written by this house: it throws rather than guess. */
export const decodedRows = <A>(
  table: string,
  codec: t.Decoder<unknown, A>,
  rows: ReadonlyArray<unknown>,
): ReadonlyArray<A> =>
  rows.map(row => {
    const decoded = codec.decode(row)
    if (isLeft(decoded)) throw new Error(`runtime.db: a row of ${table} does not read as its codec says`)
    return decoded.right
  })

/** A column of JSON text; undefined, which no codec takes, where it is none. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

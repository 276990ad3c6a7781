import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'

/** Decodes rows with their codec. Throws for a row that does not decode: this program did not write it. */
export const decodeRows = <A>(
  table: string,
  codec: t.Decoder<unknown, A>,
  rows: ReadonlyArray<unknown>,
): ReadonlyArray<A> =>
  rows.map(row => {
    const decoded = codec.decode(row)
    if (isLeft(decoded)) throw new Error(`runtime.db: a row of ${table} does not match its codec`)
    return decoded.right
  })

/** Parses a column of JSON text; undefined, which no codec accepts, where it is invalid. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

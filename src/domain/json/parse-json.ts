import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'

/** The value of a JSON text; null where the text is not JSON. */
export const parseJson = (text: string): unknown => {
  const value = tryCatch<null, unknown>(
    () => JSON.parse(text),
    () => null,
  )
  return isLeft(value) ? null : value.right
}

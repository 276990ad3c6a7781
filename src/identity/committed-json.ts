import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { SourceFile } from '#src/lore/source-file.js'

/** The value of a committed JSON file, or null where it is not JSON or not of this shape. */
export const committedJson = <A>(file: SourceFile, codec: t.Type<A, unknown, unknown>): A | null => {
  const parsed = tryCatch<unknown, unknown>(
    () => JSON.parse(file.text),
    error => error,
  )
  const decoded = isLeft(parsed) ? parsed : codec.decode(parsed.right)
  return isLeft(decoded) ? null : decoded.right
}

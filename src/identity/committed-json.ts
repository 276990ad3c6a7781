import { type Either, isLeft, left, mapLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { readJson } from '#src/lore/json-text.js'
import type { SourceFile } from '#src/lore/source-file.js'

/**
 * A committed file of identity may have so many characters: some eight thousand records, where a community has
 * hundreds. It is read in one turn of the loop, which this keeps below a tenth of a second (ADR 0214).
 */
const charsMax = 1_048_576

/** Whether a file of this text could be read again; a write that would make it too long is refused. */
export const fitsCommitted = (text: string): boolean => text.length <= charsMax

/**
 * The value of a committed JSON file, or what is wrong with the file, as the end of a Polish sentence. `form` shows the
 * shape that the codec asks for. A key that stands twice is a fault: whoever reviews reads the first, a parser takes
 * the last (D24).
 */
export const committedJson = <A>(
  file: SourceFile,
  codec: t.Type<A, unknown, unknown>,
  form: string,
): Either<string, A> => {
  if (!fitsCommitted(file.text)) return left(`ma więcej niż ${charsMax} znaków`)
  const parsed = readJson(file.text)
  if (isLeft(parsed)) {
    const { path, reason } = parsed.left
    return left(`nie jest poprawnym JSON-em (${path}: ${reason})`)
  }
  return mapLeft(() => `nie ma postaci ${form}`)(codec.decode(parsed.right))
}

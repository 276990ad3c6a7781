import { type Either, isLeft, left, mapLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { readJson } from '#src/domain/json/json-text.js'
import { pathOfErrors, type SourceFile } from '#src/domain/lore/layout.js'

/** Whether a file with this text could be read again; a write that would make it too long is refused. */
export const fitsCommitted = (text: string): boolean => text.length <= charsMax

/**
 * Why a committed JSON file cannot be used. `path` is the place of the fault, as in `$.keys[0].kid`, and
 * contains no value.
 */
export type CommittedFault =
  | { readonly _tag: 'Unread' }
  | { readonly _tag: 'TooLong'; readonly charsMax: number }
  | { readonly _tag: 'NoJson'; readonly path: string; readonly reason: string }
  | { readonly _tag: 'OtherForm'; readonly path: string }

/**
 * Decodes a committed JSON file. A repeated key is a fault: a reviewer reads the first one, but a parser
 * takes the last (D24).
 */
export const readCommitted = <A>(
  { text, unread }: SourceFile,
  codec: t.Type<A, unknown, unknown>,
): Either<CommittedFault, A> => {
  if (unread === true) return left({ _tag: 'Unread' })
  if (!fitsCommitted(text)) return left({ _tag: 'TooLong', charsMax })
  const parsed = readJson(text)
  if (isLeft(parsed)) return left({ _tag: 'NoJson', ...parsed.left })
  return mapLeft((errors: t.Errors): CommittedFault => ({ _tag: 'OtherForm', path: pathOfErrors(errors) }))(
    codec.decode(parsed.right),
  )
}

/**
 * `readCommitted` with the fault as the end of a Polish sentence. `form` shows the shape that the codec
 * requires.
 */
export const readCommittedJson = <A>(
  file: SourceFile,
  codec: t.Type<A, unknown, unknown>,
  form: string,
): Either<string, A> =>
  mapLeft((fault: CommittedFault): string => {
    switch (fault._tag) {
      case 'Unread':
        return 'nie daje się odczytać z commita'
      case 'TooLong':
        return `ma więcej niż ${fault.charsMax} znaków`
      case 'NoJson':
        return `nie jest poprawnym JSON-em (${fault.path}: ${fault.reason})`
      case 'OtherForm':
        return `nie ma postaci ${form} (złe pole: ${fault.path})`
    }
  })(readCommitted(file, codec))

/**
 * Longest committed file of identity, in characters: about eight thousand records, where a community has
 * hundreds. The limit keeps the parse, which runs in one turn of the event loop, below a tenth of a second
 * (ADR 1008).
 */
const charsMax = 1_048_576

import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '../atoms/commit.js'

/**
 * A place in the history of `head`: the number of commits to skip, then of files in the next one, then of
 * changes in that file.
 */
export interface ChangeCursor {
  readonly head: CommitId
  readonly skip: number
  readonly file: number
  readonly item: number
}

const pattern = /^[0-9a-f]{40}([0-9a-f]{24})?(\.\d{1,9}){3}$/

export const cursorPattern = pattern.source

export const cursorText = ({ head, skip, file, item }: ChangeCursor): string =>
  `${head}.${skip}.${file}.${item}`

/** Parses a cursor; undefined when the text is none. */
export const cursorOf = (text: string): ChangeCursor | undefined => {
  if (!pattern.test(text)) return undefined
  const [id, skip, file, item] = text.split('.')
  const head = CommitId.decode(id)
  return isLeft(head)
    ? undefined
    : { head: head.right, skip: Number(skip), file: Number(file), item: Number(item) }
}

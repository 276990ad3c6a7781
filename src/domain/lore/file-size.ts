import { perValue } from '#src/domain/caching/per-value.js'
import { applySplices, type FileEdit } from './edits/file-edit.js'
import type { SourceFile } from './source-file.js'

/** Size of a file's text in bytes of UTF-8, computed once. */
export const textBytes = perValue((file: SourceFile): number => Buffer.byteLength(file.text))

/** Bytes of the newline of an added line, CRLF at most. */
const newlineBytes = 2

/**
 * Upper bound of the bytes that a file has after an edit; exact when it exceeds `enough`. Below `enough` the
 * removed bytes may be ignored, because most edits are far from any bound and then need no copy of the file.
 */
export const bytesAfter = (file: SourceFile | null, edit: FileEdit, enough: number): number => {
  if (edit._tag === 'Whole') return Buffer.byteLength(edit.after ?? '')
  if (file === null) return 0
  const added = edit.splices
    .flatMap(({ lines }) => lines)
    .reduce((sum, line) => sum + Buffer.byteLength(line) + newlineBytes, newlineBytes)
  const most = textBytes(file) + added
  return most <= enough ? most : Buffer.byteLength(applySplices(file.text, edit.splices))
}

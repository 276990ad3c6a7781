import type { RepoPath } from '#protocol/atoms.js'
import type { FileEdit } from '../edits/file-edit.js'
import type { SourceFile } from '../source-file.js'
import { rawLines } from './lines.js'

/** The edit that appends lines to a file, or creates it when `file` is null. */
export const appendLines = (
  file: SourceFile | null,
  path: RepoPath,
  lines: ReadonlyArray<string>,
): FileEdit => {
  if (file === null) return { _tag: 'Whole', path, before: null, after: `${lines.join('\n')}\n` }
  const count = rawLines(file.text).length
  return {
    _tag: 'Lines',
    path: file.path,
    before: file.blob,
    splices: [{ from: count + 1, to: count, lines }],
  }
}

import { fixedPath } from '#protocol/atoms/path.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { contributorsPath } from '#src/domain/people/store/roster-store.js'

/** What findings call it: the file lies in another repository than they are about. */
const shownPath = fixedPath(`corpora.mc/${contributorsPath}`)

const shown = perValue((file: SourceFile): SourceFile => ({ ...file, path: shownPath }))

/** The moderator roster among the files of its tree; null where it has none, and then it knows nobody. */
export const rosterIn = (files: ReadonlyArray<SourceFile>): SourceFile | null => {
  const [file] = files
  return file === undefined ? null : shown(file)
}

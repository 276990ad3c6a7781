import { requirePath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { contributorsPath } from '#src/domain/people/roster.js'

/** The path that findings show, because the file lies in another repository than the lore. */
const shownPath = requirePath(`corpora.mc/${contributorsPath}`)

const shown = perValue((file: SourceFile): SourceFile => ({ ...file, path: shownPath }))

/**
 * The moderator roster among the files of its tree; null where there is none, and then there are no
 * moderators.
 */
export const rosterIn = (files: ReadonlyArray<SourceFile>): SourceFile | null => {
  const [file] = files
  return file === undefined ? null : shown(file)
}

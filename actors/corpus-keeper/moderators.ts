import { fixedPath } from '#protocol/atoms/path.js'
import type { Finding } from '#src/lore/finding.js'
import type { SourceFile } from '#src/lore/source-file.js'
import { contributorsPath } from '#src/people/roster-store.js'
import type { TreeSource } from '#src/ports/tree-source.js'
import { fileBytesMax, tooLarge } from './findings.js'
import { decodedFile } from './source-file.js'

/** The roster of the moderator repository, with what reading it found. */
export interface Moderators {
  readonly file: SourceFile | null
  readonly findings: ReadonlyArray<Finding>
}

export const noModerators: Moderators = { file: null, findings: [] }

/** What findings call it: the file lies in another repository than they are about. */
const shownPath = fixedPath(`corpora.mc/${contributorsPath}`)

/** The moderator roster as its repository has it now: a file of the form of the contributor store (A 5.1, ADR 0197). */
export const moderatorsIn = async (source: TreeSource): Promise<Moderators> => {
  const found = await source.file(contributorsPath)
  if (found === null) return noModerators
  const entry = { path: shownPath, blob: found.blob, bytes: found.bytes.length }
  if (entry.bytes > fileBytesMax) return { file: null, findings: [tooLarge(entry)] }
  return { file: decodedFile(entry, found.bytes), findings: [] }
}

import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, RepoPath } from '#protocol/atoms.js'
import type { FileChange } from '#src/domain/lore/edits/file-change.js'
import type { Tree } from './sources.js'

/** The git blob id of a text. */
const blobOf = (text: string): BlobId | null => {
  const bytes = Buffer.from(text, 'utf8')
  const id = BlobId.decode(createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'))
  return isLeft(id) ? null : id.right
}

/**
 * New texts by path as changes of a tree; texts that are there already give no change. Keys that are no valid
 * paths are skipped.
 */
export const changesTo = (
  tree: Tree,
  texts: Iterable<readonly [string, string]>,
): ReadonlyArray<FileChange> =>
  [...texts].flatMap(([name, after]) => {
    const file = tree.get(name.normalize('NFC'))
    const path = RepoPath.decode(file?.path ?? name)
    if (isLeft(path) || file?.text === after) return []
    return [{ path: path.right, before: file?.blob ?? null, after }]
  })

/** The tree after the changes; a change whose `after` is null removes its file. */
export const applyFileChanges = (tree: Tree, changes: ReadonlyArray<FileChange>): Tree => {
  const changed = new Map(tree)
  for (const { path, after } of changes) {
    const blob = after === null ? null : blobOf(after)
    const key = path.normalize('NFC')
    if (after === null || blob === null) changed.delete(key)
    else changed.set(key, { path, blob, text: after, undecodable: false })
  }
  return changed
}

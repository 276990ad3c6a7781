import type { CommitId } from '#protocol/atoms.js'
import type { CheckoutSight, LookAtCheckout, ServedFile, TreeSource } from '#src/ports/git.js'

/** Looks at the checkout; `files` are those of `commit`. */
export type LookAtCommit = (
  commit: CommitId | null,
  files: ReadonlyArray<ServedFile>,
) => Promise<CheckoutSight>

/**
 * Looks at the checkout. `dirty` is null where HEAD does not name `commit` before and after the look: index
 * and work tree then belong to another commit, and a file that it changed would look dirty.
 */
export const lookAtCommit = (look: LookAtCheckout, head: TreeSource['head']): LookAtCommit => {
  const isHead = async (commit: CommitId | null): Promise<boolean> => {
    try {
      return (await head()).commit === commit
    } catch {
      // The load of the commit reports an unreadable HEAD.
      return false
    }
  }
  return async (commit, files) => {
    const wasHead = await isHead(commit)
    const found = await look(files)
    return wasHead && (await isHead(commit)) ? found : { ...found, dirty: null }
  }
}

import type { CommitId } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** Whether the commit is the snapshot's own or one of its ancestors. Rejects when git cannot tell. */
export type ContainsCommit = (commit: CommitId, snapshot: Snapshot) => Promise<boolean>

/** The 409 when this host does not have the commit that the caller requires. */
export const commitNotHere = (): RefusalOf<'CommitNotHere'> =>
  refuse('CommitNotHere', 'This host does not have the commit yet. Try again in a second.')

/**
 * Whether a snapshot contains the commit that a caller requires; true when the caller requires none. Returns
 * false when git cannot tell. Never rejects.
 */
export const hasWanted = async (
  containsCommit: ContainsCommit,
  wants: CommitId | null,
  snapshot: Snapshot,
): Promise<boolean> =>
  wants === null || snapshot.commit === wants || (await containsCommit(wants, snapshot).catch(() => false))

import type { CommitId } from '#protocol/atoms/commit.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** Whether the commit is the snapshot's own or one of its ancestors. Rejects where git cannot tell. */
export type ContainsCommit = (commit: CommitId, snapshot: Snapshot) => Promise<boolean>

/** The 409 for a caller whose commit the snapshot does not have. */
export const commitNotHere = (): RefusalOf<'CommitNotHere'> =>
  refuse('CommitNotHere', 'This host does not have the commit yet; try again in a second.')

/**
 * Whether a snapshot has the commit that a caller wants; true where the caller wants none. Where git cannot tell, a
 * snapshot counts as one without the commit. Never rejects.
 */
export const hasWanted = async (
  containsCommit: ContainsCommit,
  wants: CommitId | null,
  snapshot: Snapshot,
): Promise<boolean> =>
  wants === null || snapshot.commit === wants || (await containsCommit(wants, snapshot).catch(() => false))

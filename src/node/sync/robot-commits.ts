import { isLeft } from 'fp-ts/lib/Either.js'
import type { Incoming } from '#actors/repository-sync/state.js'
import { CommitId } from '#protocol/atoms.js'
import { robotChangesOf } from '#src/adapters/sync/robot-changes.js'
import type { IsVerified } from '#src/domain/audit/verified-commits.js'
import { type RobotChange, robotPaths, robotRows } from '#src/domain/lint/robot-files.js'
import type { GitHistory } from '#src/ports/git.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

export interface RobotCommitsSetup {
  readonly repo: string
  /** Null on a plain directory: then no commit is verified. */
  readonly history: GitHistory | null
  readonly isVerified: IsVerified
  readonly snapshot: () => Snapshot | null
}

/**
 * The commits of a range that changed files which only the daemon writes, and whether their trailers are
 * authentic.
 */
export const robotCommits =
  ({ repo, history, isVerified, snapshot }: RobotCommitsSetup) =>
  async (range: Incoming, signal: AbortSignal): Promise<ReadonlyArray<RobotChange>> => {
    const keys = snapshot()?.fleetKeys ?? null
    const verified = async (id: string): Promise<boolean> => {
      const commit = CommitId.decode(id)
      if (keys === null || history === null || isLeft(commit)) return false
      const told = await history.commit(commit.right)
      return told !== null && isVerified(told, keys)
    }
    const changes: Array<RobotChange> = []
    for (const change of await robotChangesOf(repo, range, robotPaths, robotRows, signal))
      changes.push({ ...change, verified: await verified(change.commit) })
    return changes
  }

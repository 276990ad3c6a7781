import type { CommitId } from '#protocol/atoms.js'
import type { ForgeMerge } from '#protocol/forge.js'
import type { Fetched, Pushed } from './remote.js'

/** The git part of publishing by merge requests. Every method rejects where git fails, unless it says otherwise. */
export interface PublishGit {
  /** The branch of the remote that this host pushes to, and no other host. */
  readonly branch: string
  /**
   * Joins the newest squash that the remote has and this host has not: returns `fetched` with the remote at a
   * commit whose parents are the tip that was squashed and the head of the remote, and whose tree is that of the
   * remote. A merge with it keeps what this host wrote after the tip. Returns `fetched` where there is none.
   */
  readonly joinSquash: (fetched: Fetched, merges: ReadonlyArray<ForgeMerge>) => Promise<Fetched>
  /** Whether the remote has the contents of every commit of `head`, which has every commit of the remote. */
  readonly isTakenOver: (head: CommitId, remote: CommitId) => Promise<boolean>
  /**
   * Whether `head` has a commit, other than a merge, that neither `since` nor the remote has; true where `since`
   * is not known here.
   */
  readonly hasWritesSince: (since: string, head: CommitId, remote: CommitId) => Promise<boolean>
  /** Pushes exactly this commit to the branch as a fast-forward. Never rejects. */
  readonly push: (commit: CommitId, signal: AbortSignal) => Promise<Pushed>
  /**
   * Commits of the branch here whose contents the remote is not known to have; null as `Remote.unpublished`.
   */
  readonly unpublished: () => Promise<number | null>
}

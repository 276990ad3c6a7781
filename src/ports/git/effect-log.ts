import type { CommitId } from '#protocol/atoms.js'
import type { KeyedCommit } from '#protocol/chat/dispatch.js'
import type { FleetTip } from './fleet-branch.js'

/**
 * The commits of the followed branch that are effects of interactions. Contacts no remote. Throws where git
 * fails.
 */
export interface EffectLog {
  readonly tip: () => Promise<FleetTip>
  /**
   * The commits with the trailer in the history of `tip`; with `since`, without those in the history of
   * `since`. Null where `since` is not an ancestor of `tip`.
   */
  readonly keyedCommits: (
    tip: CommitId,
    since: CommitId | null,
    signal: AbortSignal,
  ) => Promise<ReadonlyArray<KeyedCommit> | null>
}

import type { Either } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import type { Mode } from '#protocol/discovery.js'
import type { GateState } from '#src/domain/admin/gate-arms.js'
import type { Landing, LandingFailure, Recovered } from '#src/ports/landing.js'
import type { JobProgress } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Admit } from '#src/writing/command.js'
import type { AdoptPorts } from './adopt.js'
import type { AfterWritePorts } from './after-write.js'
import type { PlanPorts } from './plan-on.js'

/** The mode of the host. Any part reads it; the gate and the role of the host set it. It outlives the actor. */
export interface ModeCell {
  readonly get: () => { readonly mode: Mode; readonly detail: string | null }
  readonly set: (state: { readonly mode: Mode; readonly detail: string | null }) => void
}

/** What the gate needs of the outside world. */
export interface GatePorts extends AfterWritePorts, PlanPorts {
  readonly adoption: AdoptPorts
  /** The current state of the arms. */
  readonly arms: () => GateState
  /** The snapshot of what HEAD names at this moment; null where HEAD cannot be read. */
  readonly fresh: () => Promise<Snapshot | null>
  /** Checks the right of an asker again, for work that waited. */
  readonly admit: Admit
  /** Null on a plain directory. */
  readonly landing: Landing | null
  /**
   * Publishes a commit to readers; false where that failed within its time. The commit remains either way.
   */
  readonly published: (commit: CommitId) => Promise<boolean>
  /**
   * Called with what a crash had left unfinished, for the log and the audit; writes wait until it resolves.
   */
  readonly recovered: (found: Either<LandingFailure, Recovered>) => Promise<void>
  readonly mode: ModeCell
  /** Completes a change of the mode by the role of the host; null where there is none to report. */
  readonly settleRole: () => ReturnType<ModeCell['get']> | null
  /** Reports progress to the follower of a job; does nothing if it no longer follows. */
  readonly tellFollower: (follower: string, progress: JobProgress) => void
  readonly monotonicMs: () => number
  readonly newIntent: () => string
}

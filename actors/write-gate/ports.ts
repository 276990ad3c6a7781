import type { Either } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { Mode } from '#protocol/discovery/mode.js'
import type { GateState } from '#src/domain/admin/gate-arms.js'
import type { Landing, LandingFailure, Recovered } from '#src/ports/git/landing.js'
import type { JobProgress } from '#src/ports/records/jobs.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Admit } from '#src/writing/command.js'
import type { AdoptPorts } from './adopt.js'
import type { AfterWritePorts } from './after-write.js'
import type { PlanPorts } from './plan-on.js'

/** The mode of the host: everybody reads it, the gate alone sets it. It outlives the actor. */
export interface ModeCell {
  readonly get: () => { readonly mode: Mode; readonly detail: string | null }
  readonly set: (state: { readonly mode: Mode; readonly detail: string | null }) => void
}

/** What the gate is given of the real world. */
export interface GatePorts extends AfterWritePorts, PlanPorts {
  readonly adoption: AdoptPorts
  /** The arms as they stand now. */
  readonly arms: () => GateState
  /** The snapshot of what HEAD names at this moment; null where HEAD cannot be read. */
  readonly fresh: () => Promise<Snapshot | null>
  /** Admits again whoever asked for work that waited. */
  readonly admit: Admit
  /** Null on a plain directory. */
  readonly landing: Landing | null
  /** Makes a commit visible to readers; false where that could not be done in time. The commit stands all the same. */
  readonly published: (commit: CommitId) => Promise<boolean>
  /** Told what a crash had left open, for the log and the audit; writes wait until it resolves. */
  readonly recovered: (found: Either<LandingFailure, Recovered>) => Promise<void>
  readonly mode: ModeCell
  /** Tells the follower of a job how far it is; nobody, where it follows no more. */
  readonly tellFollower: (follower: string, progress: JobProgress) => void
  readonly monotonicMs: () => number
  readonly newIntent: () => string
}

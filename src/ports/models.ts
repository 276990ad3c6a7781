import type { Either } from 'fp-ts/lib/Either.js'
import type { ModelSurface } from '#protocol/atoms.js'
import type { JobEnvelope } from '#protocol/host/jobs.js'
import type { ModelChanged, PromoteModel } from '#protocol/models/models.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { SurfaceSamples } from '#src/domain/models/floors.js'
import type { ModelStore } from '#src/domain/models/store.js'
import type { WriteActor } from '#src/writing/command.js'

/** The models of this host. Reads are from memory; what a write acknowledges is on disk. */
export interface Models {
  /** The store as it was last read: at the start, and after each change. */
  readonly store: () => ModelStore
  /** The setting without which no run can be started; null where nothing is missing. */
  readonly missingSetting: () => string | null
  /** The branch that runs are started on. */
  readonly runRef: string
  /** Makes an artifact live. It is read again first. A dry run writes nothing. */
  readonly promote: (asked: Promotion, change: ChangeOf) => Promise<Either<PromoteRefusal, ModelChanged>>
  /** Makes the retained artifact live again. A dry run writes nothing. */
  readonly rollback: (
    surface: ModelSurface,
    change: ChangeOf,
  ) => Promise<Either<RollbackRefusal, ModelChanged>>
  /** Records a run of a surface, which has no other that has not ended. The forge is called later. */
  readonly startRun: (
    surface: ModelSurface,
    by: WriteActor,
    nowMs: number,
  ) => Promise<Either<RefusalOf<'JobRunning' | 'DiskRefused'>, JobEnvelope>>
}

/** A promotion to decide, and what the sample store has for its surface. */
export interface Promotion extends Pick<PromoteModel, 'artifact' | 'acceptRegression'>, SurfaceSamples {
  readonly surface: ModelSurface
}

/** By whom and when a change is made. */
export interface ChangeOf {
  readonly by: WriteActor
  readonly dryRun: boolean
  readonly nowMs: number
}

export type PromoteRefusal = RefusalOf<
  | 'ModelAlreadyLive'
  | 'ModelArtifactUnusable'
  | 'ModelStampIncomplete'
  | 'ModelGradeRefused'
  | 'ModelStampSelfContradictory'
  | 'ModelSurfaceMismatch'
  | 'ModelWouldRegress'
  | 'DiskRefused'
>

export type RollbackRefusal = RefusalOf<'NoRetainedArtifact' | 'RetainedArtifactMissing' | 'DiskRefused'>

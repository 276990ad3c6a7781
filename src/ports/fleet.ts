import type { Either } from 'fp-ts/lib/Either.js'
import type { LastTakeover } from '#protocol/fleet/peers.js'
import type { LastingFailure } from '#protocol/fleet/takeover.js'
import type { Workload } from '#protocol/host/config.js'
import type { ForgeAnswer, ForgeCall } from '#protocol/host/forge.js'
import type { FleetView } from '#src/domain/fleet/candidates.js'
import type { Artifacts } from '#src/domain/fleet/derived.js'
import type { FleetState } from '#src/domain/fleet/fleet-state.js'
import type { PeerRecord } from '#src/domain/fleet/peers.js'
import type { IdleReason } from '#src/domain/fleet/role.js'
import type { TakeoverRefusal, TakeoverRequest } from '#src/domain/fleet/takeover-refusals.js'
import type { WriteActor } from '#src/writing/command.js'
import type { Announcement, TakeoverRecord } from './records.js'

/**
 * The forge that has the lore's project, as this host calls it. Makes one attempt, at most `timeoutMs` long.
 * Never rejects.
 */
export type ForgePort = (call: ForgeCall, timeoutMs: number, signal: AbortSignal) => Promise<ForgeAnswer>

/** The role of this host in its fleet, and what it may do for the fleet at the time of the call. */
export interface FleetDuty {
  /** The part of this host in the fleet, as last read. */
  readonly fleet: () => FleetState
  /** Age of the last full converge; null where sync is disabled or none succeeded yet. */
  readonly syncAgeMs: () => number | null
  /** Why this host may not do what the fleet always owns, such as its notices; null where it may. */
  readonly whyNoDuty: () => IdleReason | null
  /** Why this host may not run the tick of a workload, by the owner in the present snapshot; null where it may. */
  readonly whyNoTick: (workload: Workload) => IdleReason | null
}

/** What this host knows of its fleet: all of it in memory (S9), but for the last takeover, one row on disk. */
export interface Peers {
  readonly records: () => ReadonlyMap<string, PeerRecord>
  /** Whether all towns and the remote fail, so that the cause may be this host. */
  readonly isIsolated: () => boolean
  readonly watchIntervalMin: number
  /** `fleet.auto_failover.after_sweeps`. */
  readonly afterSweeps: number
  /** The towns as this host sees them; null off the fleet. */
  readonly view: () => FleetView | null
  /** The last takeover job of this host. */
  readonly lastTakeover: () => LastTakeover | null
  /** Every refusal that a takeover would meet now. */
  readonly obstacles: () => ReadonlyArray<TakeoverRefusal>
}

/** The derived artifacts of this host, in memory (S9). */
export interface DerivedArtifacts {
  /** The stamp of the transcript archive; null where this host has none. */
  readonly archive: () => string | null
  readonly artifacts: () => Artifacts
}

/**
 * A takeover that was accepted. `known`: the job that the town has already. `earlierFailure`: how the last job for this
 * version of the topology failed, where the next one fails as well until a person acts.
 */
export interface AcceptedTakeover {
  readonly target: string
  readonly known: TakeoverRecord | null
  readonly earlierFailure: LastingFailure | null
}

/** Decides requests of a takeover and records announcements. It believes nothing of an announcement (S11). */
export interface Takeovers {
  /** The setting without which this host cannot call the forge; null where nothing is missing. */
  readonly missingSetting: () => string | null
  /** Decides by what is known now, and queues the job unless it is a dry run. */
  readonly request: (
    request: TakeoverRequest,
    actor: WriteActor,
    dryRun: boolean,
  ) => Either<TakeoverRefusal, AcceptedTakeover>
  /** Records the announcement and brings the next converge forward. Returns whether sync is enabled. */
  readonly announce: (announcement: Announcement, actor: WriteActor, dryRun: boolean) => boolean
}

import type { RestartCause } from '#protocol/kernel/vocabulary.js'
import type { KernelLog, Orphans } from './actor/record.js'
import type { Entropy } from './entropy.js'
import type { KernelMeter } from './meter.js'
import type { Engine } from './nact.js'
import type { KernelRules } from './rules.js'
import type { Clock } from './time/clock.js'

/** What every part of one kernel shares. The meter and the log here never throw. */
export interface Core {
  readonly clock: Clock
  readonly entropy: Entropy
  readonly meter: KernelMeter
  readonly log: KernelLog
  readonly engine: Engine
  readonly rules: KernelRules
  readonly stuckMs: number
}

/** What a child tells its supervisor. */
export interface NodeReport {
  readonly ready: () => void
  readonly faulted: (cause: RestartCause, error: unknown) => void
  readonly ended: () => void
}

/** A child of a supervisor: an actor or a group. */
export interface Node {
  readonly name: string
  /** Starts the next incarnation; reports come later, never from within this call. */
  readonly start: (readyMs: number, report: NodeReport) => void
  /** Ends the incarnation at once, keeps what waits for the next one, due after `delayMs`. */
  readonly supersede: (delayMs: number) => void
  /** Ends it for good; what waits becomes dead letters. */
  readonly close: () => ReadonlyArray<Orphans>
  /** Shuts the door, lets what waits be handled for at most `limitMs`, then closes. */
  readonly drain: (limitMs: number) => Promise<ReadonlyArray<Orphans>>
}

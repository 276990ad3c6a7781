import type { KernelLog } from './actor/record.js'
import type { Entropy } from './entropy.js'
import type { KernelMeter } from './meter.js'
import type { Engine } from './nact.js'
import type { KernelRules } from './rules.js'
import type { KernelClock } from './time/clock.js'

/** What all parts of one kernel share. The meter and the log here never throw. */
export interface Core {
  readonly clock: KernelClock
  readonly entropy: Entropy
  readonly meter: KernelMeter
  readonly log: KernelLog
  readonly engine: Engine
  readonly rules: KernelRules
  readonly stuckMs: number
  /** Whether every message is decoded by its actor's codec before the actor receives it. */
  readonly checkMessages: boolean
}

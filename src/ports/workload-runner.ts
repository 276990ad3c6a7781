import type { FleetWorkload } from '#protocol/config.js'

/** One tick of a workload, on a host that had the duty when the tick began. */
export interface WorkloadTick {
  /**
   * Why the host may not publish what it planned in this tick, as a word for the log; null where it may. A runner
   * asks directly before it commits, sends or pushes.
   */
  readonly whyNoPush: () => string | null
}

/** Does the work of a workload, a part in each tick. */
export interface WorkloadRunner {
  /**
   * Time from the end of a tick to the begin of the next. Work that is due less often than ticks is, such as once a
   * day, is for the runner to remember: a start of the host begins with a whole interval.
   */
  readonly intervalMs: number
  /** How long a tick may take. A longer one goes on and is counted as an overrun. */
  readonly budgetMs: number
  /** Ends early where the signal aborts. A rejection ends the tick and is counted; the next one comes as always. */
  readonly run: (tick: WorkloadTick, signal: AbortSignal) => Promise<void>
}

/** The workloads that a host can run. */
export type WorkloadRunners = ReadonlyMap<FleetWorkload, WorkloadRunner>

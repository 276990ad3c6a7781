import type { FleetWorkload } from '#protocol/config.js'
import { type DutySight, type IdleReason, whyNoPush } from '#src/domain/fleet/role.js'
import type { WorkloadRunners } from '#src/ports/host.js'

export interface TickPorts {
  readonly runners: Pick<WorkloadRunners, 'get'>
  /** The workloads that run now. It outlives an incarnation, as does a run that ignores the abort of its signal. */
  readonly running: Set<FleetWorkload>
  /** Whether the tick of the workload is this host's now, by the snapshot and the role of this moment. */
  readonly sight: (workload: FleetWorkload) => DutySight
  readonly monotonicMs: () => number
  /** Reports a tick that this host does not do. */
  readonly idle: (workload: FleetWorkload, reason: IdleReason | 'still_running') => void
  /** Reports a tick whose run rejected. */
  readonly failed: (workload: FleetWorkload, error: unknown) => void
  /** Reports the end of every run. */
  readonly ended: (workload: FleetWorkload, elapsedMs: number) => void
}

/** Runs a workload once, where its tick is this host's. Reports a run that rejects, and never rejects itself. */
export const tickWorkload = async (
  { runners, running, sight, monotonicMs, idle, failed, ended }: TickPorts,
  workload: FleetWorkload,
  signal: AbortSignal,
): Promise<void> => {
  const runner = runners.get(workload)
  if (runner === undefined) return
  const planned = sight(workload)
  const whyIdle = planned.whyNot ?? (running.has(workload) ? 'still_running' : null)
  if (whyIdle !== null) {
    idle(workload, whyIdle)
    return
  }
  running.add(workload)
  const beganMs = monotonicMs()
  try {
    await runner.run({ whyNoPush: () => whyNoPush(planned, sight(workload)) }, signal)
  } catch (error) {
    failed(workload, error)
  }
  running.delete(workload)
  ended(workload, monotonicMs() - beganMs)
}

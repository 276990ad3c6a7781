import type { TickPorts } from '#actors/fleet/workload-ticker.js'
import type { FleetWorkload } from '#protocol/host/config.js'
import { realClock } from '#src/kernel/time/clock.js'
import { tickMeter } from '#src/node/records/records.js'
import type { NodeParts } from '#src/node/tree/node.js'
import type { WorkloadRunners } from '#src/ports/host.js'
import { fleetDeps } from './fleet.js'

type Sources = Pick<NodeParts, 'snapshot' | 'config' | 'fleet' | 'sync' | 'log' | 'runners'> & {
  readonly metrics: Pick<NodeParts['metrics'], 'meter'>
}

/** Begins the metrics of each workload that has a runner, and returns what measures the end of its ticks. */
const openMeters = (runners: WorkloadRunners, { meter }: Sources['metrics']) => {
  const meters = new Map<FleetWorkload, ReturnType<typeof tickMeter>>()
  for (const [workload, { budgetMs }] of runners) {
    meter.count('svc_tick_failures_total', { tick: workload }, 0)
    meters.set(workload, tickMeter(meter, workload, budgetMs))
  }
  return meters
}

/** The ports of the workload ticker. The log has why a workload is idle once, until that changes or it runs. */
export const workloadTickerPorts = (sources: Sources): TickPorts => {
  const { fleet, log, metrics, runners } = sources
  const { whyNoTick } = fleetDeps(sources)
  const meters = openMeters(runners, metrics)
  const idleFor = new Map<FleetWorkload, string>()
  return {
    runners,
    running: new Set(),
    sight: workload => ({ whyNot: whyNoTick(workload), fence: fleet.state().fence }),
    monotonicMs: realClock.monotonicMs,
    idle: (workload, reason) => {
      if (idleFor.get(workload) !== reason) log.info('workload_idle', { workload, reason })
      idleFor.set(workload, reason)
    },
    failed: (workload, error) => {
      metrics.meter.count('svc_tick_failures_total', { tick: workload })
      log.error('workload_failed', { workload, error })
    },
    ended: (workload, elapsedMs) => {
      idleFor.delete(workload)
      meters.get(workload)?.(elapsedMs)
    },
  }
}

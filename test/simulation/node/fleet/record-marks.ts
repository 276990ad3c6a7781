import type { Meter } from '#src/ports/records.js'
import { noMeter } from '#test/support/no-meter.js'
import type { Trace } from '../trace.js'

type FleetLog = Readonly<Record<'info' | 'warn' | 'error', (event: string, fields?: object) => void>>

/** The log of a host in the trace. */
export const traceLog = ({ say }: Trace, host: string): FleetLog => {
  const tell = (event: string, fields: object = {}): void => {
    say(`${host} log ${event} ${JSON.stringify(fields)}`)
  }
  return { info: tell, warn: tell, error: tell }
}

/**
 * The meter of a process: some counts are marks of the world. The misses that it shows are held against S8: the
 * probes of a town that failed since it last answered, counted here by themselves.
 */
export const fleetMeter = ({ mark, violation }: Trace, host: string): Meter => {
  const failed = new Map<string, number>()
  const countProbe = (town: string, result: string): void => {
    if (result === 'not_sent') return mark('a probe was not sent')
    failed.set(town, result === 'ok' ? 0 : (failed.get(town) ?? 0) + 1)
  }
  return {
    ...noMeter,
    count: (name, labels, by = 1) => {
      if (name === 'svc_fleet_pauses_total') mark('a host found that it was paused')
      if (name === 'svc_fleet_takeover_requests_total' && 'result' in labels) {
        if (labels.result === 'takeover_cooldown') mark('the cooldown refused a takeover')
        if (labels.result === 'existing') mark('a town had an active job already')
      }
      if (name === 'svc_fleet_late_answers_total' && 'town' in labels && by > 0) {
        mark('a late answer took misses back')
        failed.set(String(labels.town), 0)
      }
      if (name === 'svc_fleet_probes_total' && 'town' in labels && 'result' in labels)
        countProbe(String(labels.town), String(labels.result))
    },
    gauge: (name, labels, value) => {
      if (name !== 'svc_fleet_peer_consecutive_misses' || !('town' in labels)) return
      const most = failed.get(String(labels.town)) ?? 0
      if (value > most)
        violation(`${host} counts ${value} misses of ${String(labels.town)} after ${most} failed probes (S8)`)
    },
  }
}

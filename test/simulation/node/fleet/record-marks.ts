import type { Meter } from '#src/ports/records/meter.js'
import { noMeter } from '../host-gate.js'
import type { Trace } from '../trace.js'

type FleetLog = Readonly<Record<'info' | 'warn' | 'error', (event: string, fields?: object) => void>>

/** The log of a host in the trace. */
export const traceLog = ({ say }: Trace, host: string): FleetLog => {
  const tell = (event: string, fields: object = {}): void => {
    say(`${host} log ${event} ${JSON.stringify(fields)}`)
  }
  return { info: tell, warn: tell, error: tell }
}

/** The meter of a host: some counts are marks of the world. */
export const fleetMeter = ({ mark }: Trace): Meter => ({
  ...noMeter,
  count: (name, labels) => {
    const values = Object.values(labels)
    if (name === 'svc_fleet_pauses_total') mark('a host found that it was paused')
    if (name === 'svc_fleet_takeover_requests_total' && values.includes('takeover_cooldown'))
      mark('the cooldown refused a takeover')
    if (name === 'svc_fleet_takeover_requests_total' && values.includes('existing'))
      mark('a town had an active job already')
    if (name === 'svc_fleet_probes_total' && values.includes('not_sent')) mark('a probe was not sent')
  },
})

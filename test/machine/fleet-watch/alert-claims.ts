import type { AlertName } from '#src/reference/monitoring/alerts.js'
import { eventually } from '#test/support/daemon.js'
import type { WatchedFleet } from './watched-fleet.js'

/** An alert, and the labels that tell its series from others of its name. */
export interface ExpectedAlert {
  readonly name: AlertName
  readonly labels: Readonly<Record<string, string>>
}

/** Longer than the longest hold and window of the divided rules; it only ends a run that hangs. */
const limitMs = 300_000
const hostCount = 3

/** The series that Prometheus records of an alert while it fires. */
const recordOf = ({ name, labels }: ExpectedAlert): string => {
  const all = { alertname: name, alertstate: 'firing', ...labels }
  return `ALERTS{${Object.entries(all)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`
}

export const isFiring = async ({ prometheus }: WatchedFleet, alert: ExpectedAlert): Promise<boolean> =>
  (await prometheus.query(recordOf(alert))).length > 0

const describeAlert = ({ name, labels }: ExpectedAlert): string =>
  `${name} of ${Object.values(labels).join(', ')}`

/** Claims that an alert fires or has fired since a time: some end by themselves. */
export const claimFired = (
  { world, prometheus }: WatchedFleet,
  alert: ExpectedAlert,
  sinceMs: number,
): Promise<void> =>
  world.story.claim(`${describeAlert(alert)} fires`, async () => {
    await eventually(
      () => prometheus.queryRange(recordOf(alert), sinceMs),
      series => series.length > 0,
      limitMs,
    )
  })

/** Claims that an alert does not fire while Prometheus has the metrics of every host. */
export const claimResolved = (fleet: WatchedFleet, alert: ExpectedAlert): Promise<void> =>
  fleet.world.story.claim(`${describeAlert(alert)} resolves`, async () => {
    await eventually(
      async () => ({
        up: (await fleet.prometheus.query('up == 1')).length,
        fires: await isFiring(fleet, alert),
      }),
      ({ up, fires }) => up === hostCount && !fires,
      limitMs,
    )
  })

/** Claims that no alert of the table fires while Prometheus has the metrics of every host. */
export const claimNoAlert = ({ world, prometheus }: WatchedFleet): Promise<void> =>
  world.story.claim('no alert fires', async () => {
    await eventually(
      async () => ({
        up: (await prometheus.query('up == 1')).length,
        firing: [...(await prometheus.firing())],
      }),
      ({ up, firing }) => up === hostCount && firing.length === 0,
      limitMs,
    )
  })

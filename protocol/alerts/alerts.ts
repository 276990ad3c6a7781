import type { Alert } from './alert.js'
import { chatAlerts } from './chat-alerts.js'
import { fleetAlerts } from './fleet-alerts.js'
import { hostAlerts } from './host-alerts.js'
import { syncAlerts } from './sync-alerts.js'

/**
 * Every alert by group and name: the one source of the rules of Prometheus, of the table in
 * `docs/spec/metrics.md` and of the runbook, which has a page for each group.
 */
export const alertGroups = {
  host: hostAlerts,
  sync: syncAlerts,
  chat: chatAlerts,
  fleet: fleetAlerts,
} as const

export type AlertGroup = keyof typeof alertGroups
export type AlertName = { readonly [G in AlertGroup]: keyof (typeof alertGroups)[G] }[AlertGroup]

/** An alert of the table with its name and group. */
export interface NamedAlert extends Alert {
  readonly name: string
  readonly group: AlertGroup
}

const groupOf = (group: AlertGroup): ReadonlyArray<NamedAlert> =>
  Object.entries<Alert>(alertGroups[group]).map(([name, alert]) => ({ ...alert, name, group }))

/** The groups in the order of the table. */
export const alertGroupNames: ReadonlyArray<AlertGroup> = ['host', 'sync', 'chat', 'fleet']

/** The alerts in the order of the table. */
export const alerts: ReadonlyArray<NamedAlert> = alertGroupNames.flatMap(groupOf)

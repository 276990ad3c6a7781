import { right } from 'fp-ts/lib/Either.js'
import type { FleetMonitor, monitorRoutes } from '#protocol/fleet/monitor.js'
import type { Handlers } from '#src/http/routing/handler.js'

export interface MonitorDeps {
  /** The view of the outside monitor, from memory (S9). */
  readonly monitor: () => FleetMonitor
}

/** The view of the outside monitor (A 4.10). */
export const monitorHandlers: Handlers<typeof monitorRoutes, MonitorDeps> = {
  'fleet.monitor.get': ({ node }) => right({ body: node.monitor() }),
}

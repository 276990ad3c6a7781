import { ofHost, route, type Table } from '#protocol/route.js'
import { FleetMonitor } from './monitor.js'

export const monitorRoutes = {
  'fleet.monitor.get': route({
    ...ofHost,
    anyCommit: true,
    early: true,
    method: 'GET',
    path: '/fleet/monitor',
    summary: 'The towns as the outside monitor sees them, and where this host sees them otherwise.',
    capability: 'fleet.read',
    query: {},
    body: null,
    answers: { 200: FleetMonitor },
    refusals: [],
    source: 'A 4.10, A 2.7',
    example: {},
  }),
} as const satisfies Table

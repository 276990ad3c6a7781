import * as t from 'io-ts'
import { ofHost, route, type Table } from '#protocol/route.js'
import { Instant, VisibleText } from '../atoms.js'
import { FetchTrouble } from '../host/outbound.js'

const townsMax = 256

/** A town as the outside monitor last saw it. */
const MonitoredTown = t.strict(
  { town: VisibleText, reachable: t.boolean, checkedUtc: Instant },
  'MonitoredTown',
)

/** The document of the outside monitor (ADR 1052). Keys beyond these are left out; a town occurs once. */
export const MonitorDocument = t.strict(
  {
    generatedUtc: Instant,
    monitor: VisibleText,
    towns: t.refinement(
      t.readonlyArray(MonitoredTown),
      towns => towns.length <= townsMax && new Set(towns.map(({ town }) => town)).size === towns.length,
      'MonitoredTowns',
    ),
  },
  'MonitorDocument',
)
export type MonitorDocument = t.TypeOf<typeof MonitorDocument>

/** Why the last fetch brought no document. `bad_document`: what came is not of its shape. */
export const MonitorFailure = t.keyof({ ...FetchTrouble.keys, bad_document: null }, 'MonitorFailure')
export type MonitorFailure = t.TypeOf<typeof MonitorFailure>

/** A town that this host and the monitor see differently. */
export const VantageSplit = t.strict(
  { town: t.string, peerSaysReachable: t.boolean, monitorSaysReachable: t.boolean },
  'VantageSplit',
)
export type VantageSplit = t.TypeOf<typeof VantageSplit>

/** `GET /fleet/monitor`: the view from outside, beside that of this host (A 2.7). */
export const FleetMonitor = t.strict(
  {
    configured: t.boolean,
    stale: t.boolean,
    fetchedUtc: t.union([Instant, t.null]),
    failure: t.union([MonitorFailure, t.null]),
    document: t.union([MonitorDocument, t.null]),
    vantageSplit: t.readonlyArray(VantageSplit),
  },
  'FleetMonitor',
)
export type FleetMonitor = t.TypeOf<typeof FleetMonitor>

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

import { ofHost, route, type Table } from '#protocol/route.js'
import { FleetPeers, PeerReport, StatusCard } from './peers.js'

/** Columns of what this host has observed: it depends on no commit and answers before the first snapshot. */
const observed = {
  ...ofHost,
  anyCommit: true,
  early: true,
  method: 'GET',
  capability: 'fleet.read',
  query: {},
  body: null,
  source: 'A 4.10, A 2.7',
} as const

export const peerRoutes = {
  'fleet.peers.list': route({
    ...observed,
    path: '/fleet/peers',
    summary: 'The other towns as this host last saw them, and what a takeover would meet now.',
    answers: { 200: FleetPeers },
    refusals: [],
    example: {},
  }),
  'fleet.hosts.get': route({
    ...observed,
    path: '/fleet/hosts/{town}',
    summary: 'One town as this host last saw it; the own town has the card of this host.',
    answers: { 200: PeerReport },
    refusals: ['TownNotObserved'],
    example: { path: { town: 'Deyja' } },
  }),
} as const satisfies Table

/** The mesh of hosts (A 4.10). */
export const fleetRoutes = {
  'fleet.status.get': route({
    method: 'GET',
    path: '/fleet/status',
    summary: 'The status card of this host: its town, its role and the age of its sync.',
    capability: null,
    own: false,
    write: false,
    early: true,
    prompt: true,
    replica: false,
    etag: false,
    pool: false,
    poolReason: 'default',
    query: {},
    body: null,
    answers: { 200: StatusCard },
    refusals: [],
    source: 'A 4.10, A 2.7',
    example: {},
  }),
} as const satisfies Table

import { instantOf } from '#protocol/atoms.js'
import type { FleetMonitor } from '#protocol/fleet/monitor.js'
import {
  type EndedProbe,
  type PeerCard,
  readPeerCard,
  startTrack,
  trackProbe,
} from '#src/domain/fleet/peers.js'
import type { Peers } from '#src/ports/fleet.js'
import { darkFleet } from './topologies.js'

const cardText = (town: string): string =>
  JSON.stringify({
    town,
    role: 'replica',
    nowUtc: '2026-06-15T10:00:00.000Z',
    bootUtc: '2026-06-15T09:00:00.000Z',
    bootId: '0b9b4f6e-3f7a-4d2c-9f7e-6a1d2c3b4e5f',
    uptimeSeconds: 3_600,
    imageDigest: '',
    schemaVersion: 2,
    syncAgeMinutes: 3,
    version: '0.5.0',
  })

export const requireCard = (town: string): PeerCard => {
  const card = readPeerCard(cardText(town), town)
  if (card === null) throw new Error(`no card of ${town}`)
  return card
}

const recordAfter = (town: string, ...results: ReadonlyArray<EndedProbe['result']>) => {
  const atMs = Date.UTC(2026, 5, 15, 10)
  const { record } = results.reduce(
    (track, result) => trackProbe(track, { result, atMs, monotonicMs: 0, elapsedMs: 12 }),
    startTrack(town),
  )
  if (record === null) throw new Error(`no record of ${town}`)
  return [town, record] as const
}

/** A monitor that does not reach Deyja, and whose document is an hour old. */
export const splitMonitor: FleetMonitor = {
  configured: true,
  stale: true,
  fetchedUtc: instantOf(Date.UTC(2026, 5, 15, 10)),
  failure: null,
  document: {
    generatedUtc: instantOf(Date.UTC(2026, 5, 15, 9)),
    monitor: 'outside',
    towns: [{ town: 'Deyja', reachable: false, checkedUtc: instantOf(Date.UTC(2026, 5, 15, 8, 59)) }],
  },
  vantageSplit: [{ town: 'Deyja', peerSaysReachable: true, monitorSaysReachable: false }],
}

/** A host that reaches Deyja, and has missed Bracada twice. */
export const observedPeers: Peers = {
  records: () =>
    new Map([
      recordAfter('Deyja', { _tag: 'Answered', kind: 'fleet-status', card: requireCard('Deyja') }),
      recordAfter(
        'Bracada',
        { _tag: 'Failed', kind: 'fleet-status', why: 'refused' },
        { _tag: 'Failed', kind: 'fleet-status', why: 'timeout' },
      ),
    ]),
  isIsolated: () => false,
  watchIntervalMin: 5,
  afterSweeps: 3,
  view: darkFleet,
  lastTakeover: () => null,
  obstacles: () => [{ _tag: 'actuation_unavailable' }, { _tag: 'no_candidate', rejections: [] }],
}

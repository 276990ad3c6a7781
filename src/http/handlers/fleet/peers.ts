import { left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { peerRoutes } from '#protocol/fleet/peer-routes.js'
import type { LastTakeover, PeerReport, StatusCard } from '#protocol/fleet/peers.js'
import { refuse } from '#protocol/refusal.js'
import { type FleetView, listOutlooks } from '#src/domain/fleet/candidates.js'
import type { PeerRecord } from '#src/domain/fleet/peers.js'
import { describeRefusal, type TakeoverRefusal } from '#src/domain/fleet/takeover-refusals.js'
import type { Handlers } from '#src/http/routing/handler.js'
import { type FleetDeps, statusCardOf } from './fleet.js'
import type { TakeoverDeps } from './takeover.js'

/** What this host knows of its fleet: all of it in memory (S9), but for the last takeover, one row on disk. */
export interface PeersDeps extends FleetDeps {
  readonly takeovers: Pick<TakeoverDeps['takeovers'], 'missingSetting'>
  readonly peers: {
    readonly records: () => ReadonlyMap<string, PeerRecord>
    /** Whether all towns and the remote fail, so that the cause may be this host. */
    readonly isIsolated: () => boolean
    readonly watchIntervalMin: number
    /** `fleet.auto_failover.after_sweeps`. */
    readonly afterSweeps: number
    /** The towns as this host sees them; null off the fleet. */
    readonly view: () => FleetView | null
    /** The last takeover job of this host. */
    readonly lastTakeover: () => LastTakeover | null
    /** Every refusal that a takeover would meet now. */
    readonly obstacles: () => ReadonlyArray<TakeoverRefusal>
  }
}

const noCard = {
  role: null,
  nowUtc: null,
  bootUtc: null,
  bootId: null,
  uptimeSeconds: null,
  imageDigest: null,
  schemaVersion: null,
  syncAgeMinutes: null,
  version: null,
} as const

const reportOf = (record: PeerRecord): PeerReport => ({
  ...(record.card ?? noCard),
  town: record.town,
  observedUtc: instantOf(record.observedMs),
  elapsedMs: Math.round(record.elapsedMs),
  reachable: record.isReachable,
  skewMs: record.skewMs === null ? null : Math.round(record.skewMs),
  probeKind: record.probeKind,
  consecutiveMisses: record.consecutiveMisses,
  failure: record.failure,
  late: record.isLate,
  settling: record.isSettling,
  flapping: record.isFlapping,
})

/** This host as its own peer: it reads its card without a probe. */
const ownReport = (card: StatusCard): PeerReport => ({
  ...card,
  observedUtc: card.nowUtc,
  elapsedMs: 0,
  reachable: true,
  skewMs: 0,
  probeKind: 'fleet-status',
  consecutiveMisses: 0,
  failure: null,
  late: false,
  settling: false,
  flapping: false,
})

const notObserved = refuse(
  'TownNotObserved',
  'This host has not observed the town since its start, or the topology does not list it. ' +
    '`GET /fleet/peers` lists the observed towns.',
)

const byTown = (a: PeerRecord, b: PeerRecord): number => {
  if (a.town === b.town) return 0
  return a.town < b.town ? -1 : 1
}

/** The other towns as this host sees them (A 4.10). */
export const peersHandlers: Handlers<typeof peerRoutes, PeersDeps> = {
  'fleet.peers.list': ({ node, snapshot, nowMs }) => {
    const { peers } = node
    const setting = node.takeovers.missingSetting() ?? 'token'
    const fleet = peers.view()
    const records = [...peers.records().values()].sort(byTown)
    return right({
      body: {
        count: records.length,
        items: records.map(reportOf),
        self: statusCardOf(node, snapshot, nowMs),
        watchIntervalMin: peers.watchIntervalMin,
        isolated: peers.isIsolated(),
        staleAfterMinutes: peers.watchIntervalMin * Math.max(0, peers.afterSweeps - 1),
        takeover: {
          apex: fleet?.topology.apex ?? null,
          towns: fleet === null ? [] : listOutlooks(fleet),
          job: peers.lastTakeover(),
          refusals: peers
            .obstacles()
            .map(refusal => ({ error: refusal._tag, detail: describeRefusal(refusal, setting) })),
        },
      },
    })
  },
  'fleet.hosts.get': ({ node, path, snapshot, nowMs }) => {
    const own = statusCardOf(node, snapshot, nowMs)
    if (own.town !== '' && path.town === own.town) return right({ body: ownReport(own) })
    const record = node.peers.records().get(path.town)
    return record === undefined ? left(notObserved) : right({ body: reportOf(record) })
  },
}

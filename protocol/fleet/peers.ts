import * as t from 'io-ts'
import { Instant } from '../atoms/instant.js'
import { CardRole, StatusCard } from './status-card.js'
import { TakeoverFailure } from './takeover-job.js'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])
const instantOrNull = t.union([Instant, t.null])

/**
 * What this host knows of a town (A 2.7): the fields of its last card, each null before one was read, and how
 * the last probe ended.
 */
export const PeerReport = t.strict(
  {
    town: t.string,
    role: t.union([CardRole, t.null]),
    nowUtc: instantOrNull,
    bootUtc: instantOrNull,
    bootId: textOrNull,
    uptimeSeconds: numberOrNull,
    imageDigest: textOrNull,
    schemaVersion: t.union([t.number, t.string, t.null]),
    syncAgeMinutes: numberOrNull,
    version: textOrNull,
    observedUtc: Instant,
    elapsedMs: t.number,
    reachable: t.boolean,
    skewMs: numberOrNull,
    probeKind: t.keyof({ 'fleet-status': null, health: null }, 'ProbeKind'),
    consecutiveMisses: t.number,
    failure: t.union([
      t.keyof(
        { timeout: null, refused: null, tls: null, unreachable: null, bad_card: null, frozen: null },
        'ProbeFailure',
      ),
      t.null,
    ]),
    late: t.boolean,
    settling: t.boolean,
    flapping: t.boolean,
  },
  'PeerReport',
)
export type PeerReport = t.TypeOf<typeof PeerReport>

const TakeoverErrorReport = t.strict({ atUtc: Instant, detail: t.string }, 'TakeoverErrorReport')

/** The last takeover job of this host, whatever became of it. */
const LastTakeover = t.strict(
  {
    target: t.string,
    reason: t.string,
    status: t.keyof({ queued: null, running: null, done: null, failed: null }, 'TakeoverStatus'),
    requestedUtc: Instant,
    failure: t.union([TakeoverFailure, t.null]),
    detail: textOrNull,
    mrUrl: textOrNull,
    lastError: t.union([TakeoverErrorReport, t.null]),
  },
  'LastTakeover',
)
export type LastTakeover = t.TypeOf<typeof LastTakeover>

/** A refusal that a takeover would meet now, with the code and the sentence of `POST /fleet/takeover`. */
const TakeoverObstacle = t.strict({ error: t.string, detail: t.string }, 'TakeoverObstacle')

/** A town of the topology, and why it cannot become the apex now; without a reason it is a candidate. */
const TownOutlook = t.strict({ town: t.string, reasons: t.readonlyArray(t.string) }, 'TownOutlook')

/** `GET /fleet/peers`: the other towns as this host sees them, and whether it would take over (A 4.10). */
export const FleetPeers = t.strict(
  {
    count: t.number,
    items: t.readonlyArray(PeerReport),
    self: StatusCard,
    watchIntervalMin: t.number,
    staleAfterMinutes: t.number,
    isolated: t.boolean,
    takeover: t.strict(
      {
        apex: textOrNull,
        towns: t.readonlyArray(TownOutlook),
        job: t.union([LastTakeover, t.null]),
        refusals: t.readonlyArray(TakeoverObstacle),
      },
      'TakeoverOutlook',
    ),
  },
  'FleetPeers',
)
export type FleetPeers = t.TypeOf<typeof FleetPeers>

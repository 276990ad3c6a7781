import * as t from 'io-ts'
import { Instant } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { TakeoverFailure } from './takeover.js'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])
const instantOrNull = t.union([Instant, t.null])

/** The role of a host as others see it; empty for a host in no fleet (A 2.7). */
export const CardRole = t.keyof({ primary: null, 'stepping-down': null, replica: null, '': null }, 'CardRole')

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

/** `GET /fleet/status` (A 2.7): what a host tells anybody about itself. It has these keys and no other (S10). */
export const StatusCard = t.strict(
  {
    town: t.string,
    role: CardRole,
    nowUtc: Instant,
    bootUtc: Instant,
    bootId: t.string,
    uptimeSeconds: t.number,
    imageDigest: t.string,
    schemaVersion: t.union([t.number, t.null]),
    syncAgeMinutes: t.union([t.number, t.null]),
    version: t.string,
  },
  'StatusCard',
)

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
export type CardRole = t.TypeOf<typeof CardRole>
export type StatusCard = t.TypeOf<typeof StatusCard>

/** The flip that a host obeyed last; it outlives the process. */
export interface ObeyedTopology {
  readonly apex: string
  readonly term: number
  /** The term that the flip to this apex had to raise; null where this host saw no flip. */
  readonly termBefore: number | null
}

export const peerDescriptions: Descriptions = {
  PeerReport: {
    town: 'Name of the town in the topology.',
    role: 'Role on its last card; null before one was read.',
    nowUtc: 'Clock of the town on its last card, ISO 8601 in UTC.',
    bootUtc: 'When its daemon started, ISO 8601 in UTC.',
    bootId: 'Random id of that start.',
    uptimeSeconds: 'Seconds since that start.',
    imageDigest: 'Digest of its container image; empty outside a container.',
    schemaVersion: 'Format that its repository is stamped with.',
    syncAgeMinutes:
      'Minutes since its last full converge, by the last card; null where its sync is disabled.',
    version: 'Version of its daemon.',
    observedUtc: 'End of the last probe that left this host, ISO 8601 in UTC.',
    elapsedMs:
      'Milliseconds that the answered request of the probe took, or the whole probe where it failed.',
    reachable: 'True when the town answered it.',
    skewMs: 'Clock of the town minus that of this host, for half a round trip; null before a card was read.',
    probeKind: 'The row that was asked; `health` is the host without a card.',
    consecutiveMisses: 'Failed probes in a row that left this host; 0 after a restart.',
    failure: 'Why the last probe failed; null where it did not.',
    late: 'True when its last answer came up to 15 s after the sweep had counted as missed, and took the misses back.',
    settling:
      'True while fewer than three probes have ended since a pause of this host; it suspects no town then.',
    flapping:
      'True when its last ten probes changed at least five times between success and failure: its misses never add up.',
  },
  FleetPeers: {
    count: 'Number of towns that were observed since the start.',
    items: 'Those towns, by name.',
    self: 'The card of this host.',
    watchIntervalMin: 'Minutes between two probes of a town.',
    staleAfterMinutes: 'The interval times one less than `fleet.auto_failover.after_sweeps`.',
    isolated:
      'True while all towns and the remote fail: this host may be the cause, and suspects no town until one of them ' +
      'or the forge answers.',
    takeover: 'The last takeover of this host, and what another one would meet now.',
  },
  TakeoverOutlook: {
    apex: 'The apex of the topology that this host obeys; null off the fleet.',
    towns: 'The towns of that topology: the candidates in their order, then the others by name.',
    job: 'The last takeover job of this host; null before one.',
    refusals: 'Every refusal that a takeover without target and `force` would meet now, in their order.',
  },
  TownOutlook: {
    town: 'Name of the town.',
    reasons: 'Why it cannot become the apex; empty for a candidate.',
  },
  LastTakeover: {
    target: 'The town that was to become the apex.',
    reason: 'The reason that the job was accepted with.',
    status: 'Whether it waits, runs, is merged, or has failed.',
    requestedUtc: 'When it was accepted, ISO 8601 in UTC.',
    failure: 'The kind of its failure; null where it did not fail.',
    detail: 'Why it failed; null where it did not.',
    mrUrl: 'The request at the forge; null before it is known.',
    lastError: 'The last error that the running job met and goes on after; null without one.',
  },
  TakeoverErrorReport: {
    atUtc: 'When it was met, ISO 8601 in UTC.',
    detail: 'What failed, without credentials.',
  },
  DerivedList: {
    count: 'Number of kinds.',
    items: 'Every kind, in the order of the closed list.',
    archive: 'Stamp of the transcript archive of this host; null where it has none, or before it is read.',
  },
  DerivedRow: {
    kind: 'Kind of the artifact.',
    status: 'Whether this host has it, and whether it describes the archive of this host.',
    stamp: 'Stamp of the archive that it describes; null where it is absent.',
    sha256: 'SHA-256 of its bytes, in hex; null where it is absent.',
    bytes: 'Length in bytes; null where it is absent.',
  },
  FleetMonitor: {
    configured: 'Whether `fleet.monitor_url` is set.',
    stale: 'True without a document, and where it is too old: by its date, or by how long no other one came.',
    fetchedUtc: 'When the document was fetched, ISO 8601 in UTC; null before the first.',
    failure: 'Why the last fetch brought no document; null where it did, and before the first.',
    document: 'The last document that was read; null before the first.',
    vantageSplit: 'The towns that this host and the monitor see differently, by name.',
  },
  MonitorDocument: {
    generatedUtc: 'When the monitor made it, ISO 8601 in UTC.',
    monitor: 'What the monitor calls itself.',
    towns: 'The towns that it watches.',
  },
  MonitoredTown: {
    town: 'Name of the town.',
    reachable: 'Whether the town answered the monitor.',
    checkedUtc: 'When the monitor last asked it, ISO 8601 in UTC.',
  },
  VantageSplit: {
    town: 'Name of the town.',
    peerSaysReachable: 'Whether it answered the last probe of this host.',
    monitorSaysReachable: 'Whether it answered the monitor.',
  },
  TakeoverObstacle: {
    error: 'Code of the refusal.',
    detail: 'The sentence that says what is missing.',
  },
}

export const fleetDescriptions: Descriptions = {
  StatusCard: {
    town: 'Name of this host in the fleet; empty where it was started without one.',
    role: '`primary`, `stepping-down` or `replica`; empty for a host in no fleet.',
    nowUtc: 'Clock of this host, ISO 8601 in UTC.',
    bootUtc: 'When the daemon started, ISO 8601 in UTC.',
    bootId: 'Random id of this start.',
    uptimeSeconds: 'Seconds since the start.',
    imageDigest: 'Digest of the container image; empty outside a container.',
    schemaVersion: 'Format that the repository is stamped with; null without a stamp.',
    syncAgeMinutes:
      'Minutes since the last full converge; null where sync is disabled or none succeeded yet.',
    version: 'Version of the daemon.',
  },
}

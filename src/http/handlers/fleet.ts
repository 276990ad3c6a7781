import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import { DerivedKind, derivedKinds, type derivedRoutes, derivedStampHeader } from '#protocol/fleet/derived.js'
import type { FleetMonitor, monitorRoutes } from '#protocol/fleet/monitor.js'
import type { fleetRoutes, peerRoutes } from '#protocol/fleet/peer-routes.js'
import type { LastTakeover, PeerReport, StatusCard } from '#protocol/fleet/peers.js'
import type { LastingFailure } from '#protocol/fleet/takeover.js'
import type { takeoverRoutes } from '#protocol/fleet/takeover-routes.js'
import type { Workload } from '#protocol/host/config.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { type FleetView, listOutlooks } from '#src/domain/fleet/candidates.js'
import { type Artifacts, artifactStatusOf, listDerived } from '#src/domain/fleet/derived.js'
import type { FleetState } from '#src/domain/fleet/fleet-state.js'
import { cardMinutesOf, type PeerRecord } from '#src/domain/fleet/peers.js'
import { cardRoleOf, type IdleReason } from '#src/domain/fleet/role.js'
import {
  describeRefusal,
  type TakeoverRefusal,
  type TakeoverRequest,
} from '#src/domain/fleet/takeover-refusals.js'
import { actorOf } from '#src/http/checks/arrival.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Announcement, TakeoverRecord } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WriteActor } from '#src/writing/command.js'

export interface FleetDeps {
  readonly version: string
  readonly bootMs: number
  readonly bootId: string
  readonly imageDigest: string
  /** The part of this host in the fleet, as last read. */
  readonly fleet: () => FleetState
  /** Age of the last full converge; null where sync is disabled or none succeeded yet. */
  readonly syncAgeMs: () => number | null
  /** Why this host may not do what the fleet always owns, such as its notices; null where it may. */
  readonly whyNoDuty: () => IdleReason | null
  /** Why this host may not run the tick of a workload, by the owner in the present snapshot; null where it may. */
  readonly whyNoTick: (workload: Workload) => IdleReason | null
}

/** The status card of this host. */
export const statusCardOf = (node: FleetDeps, snapshot: Snapshot | null, nowMs: number): StatusCard => {
  const { town, role } = node.fleet()
  return {
    town,
    role: cardRoleOf(role),
    nowUtc: instantOf(nowMs),
    bootUtc: instantOf(node.bootMs),
    bootId: node.bootId,
    uptimeSeconds: Math.max(0, Math.floor((nowMs - node.bootMs) / 1_000)),
    imageDigest: node.imageDigest,
    schemaVersion: snapshot?.format.stamped ?? null,
    syncAgeMinutes: cardMinutesOf(node.syncAgeMs()),
    version: node.version,
  }
}

export const fleetHandlers: Handlers<typeof fleetRoutes, FleetDeps> = {
  'fleet.status.get': ({ node, snapshot, nowMs }) => right({ body: statusCardOf(node, snapshot, nowMs) }),
}

export interface DerivedDeps {
  /** The derived artifacts of this host, in memory (S9). */
  readonly derived: {
    /** The stamp of the transcript archive; null where this host has none. */
    readonly archive: () => string | null
    readonly artifacts: () => Artifacts
  }
}

/** The derived artifacts (A 4.10). */
export const derivedHandlers: Handlers<typeof derivedRoutes, DerivedDeps> = {
  'derived.list': ({ node: { derived } }) => {
    const archive = derived.archive()
    const items = listDerived(derived.artifacts(), archive)
    return right({ body: { count: items.length, items, archive } })
  },
  'derived.get': ({ path: { kind }, node: { derived } }) => {
    if (!DerivedKind.is(kind))
      return left(
        refuse('UnknownDerivedKind', `There is no derived kind ${kind}. \`kinds\` lists all.`, {
          kinds: [...derivedKinds],
        }),
      )
    const artifact = derived.artifacts().get(kind)
    const status = artifactStatusOf(artifact, derived.archive())
    if (artifact === undefined || status !== 'fresh')
      return left(
        refuse(
          'DerivedNotFresh',
          `This host has no ${kind} of its transcript archive as it is now. \`GET /derived\` lists what it has; ` +
            'try again later, or ask another host.',
          { status },
        ),
      )
    const { bytes, stamp } = artifact
    return right({ body: { _tag: 'Rendered', bytes }, headers: { [derivedStampHeader]: stamp } })
  },
}

export interface MonitorDeps {
  /** The view of the outside monitor, from memory (S9). */
  readonly monitor: () => FleetMonitor
}

/** The view of the outside monitor (A 4.10). */
export const monitorHandlers: Handlers<typeof monitorRoutes, MonitorDeps> = {
  'fleet.monitor.get': ({ node }) => right({ body: node.monitor() }),
}

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

/**
 * A takeover that was accepted. `known`: the job that the town has already. `earlierFailure`: how the last job for this
 * version of the topology failed, where the next one fails as well until a person acts.
 */
export interface AcceptedTakeover {
  readonly target: string
  readonly known: TakeoverRecord | null
  readonly earlierFailure: LastingFailure | null
}

export interface TakeoverDeps {
  readonly takeovers: {
    /** The setting without which this host cannot call the forge; null where nothing is missing. */
    readonly missingSetting: () => string | null
    /** Decides by what is known now, and queues the job unless it is a dry run. */
    readonly request: (
      request: TakeoverRequest,
      actor: WriteActor,
      dryRun: boolean,
    ) => Either<TakeoverRefusal, AcceptedTakeover>
    /** Records the announcement and brings the next converge forward. Returns whether sync is enabled. */
    readonly announce: (announcement: Announcement, actor: WriteActor, dryRun: boolean) => boolean
  }
}

/** The takeover of the role of the apex, and the announcement of one (A 4.10). */
export const takeoverHandlers: Handlers<typeof takeoverRoutes, TakeoverDeps> = {
  'fleet.takeover.run': ({ node: { takeovers }, body, caller, dryRun }) => {
    const request = {
      reason: body.reason ?? null,
      target: body.target ?? null,
      isForced: body.force ?? false,
    }
    const decided = takeovers.request(request, actorOf(caller), dryRun)
    if (isLeft(decided)) return left(refusalOf(decided.left, takeovers.missingSetting() ?? 'token'))
    const { target, known, earlierFailure } = decided.right
    if (known === null) {
      const foreseen = earlierFailure === null ? {} : { earlierFailure }
      return right({ body: { accepted: true, target, queued: true, ...foreseen } })
    }
    const status = known.state === 'running' ? 'running' : 'queued'
    const requestedUtc = instantOf(known.requestedMs)
    return right({ body: { accepted: true, target, queued: false, status, requestedUtc } })
  },
  'fleet.announce.add': ({ node: { takeovers }, body, caller, dryRun }) => {
    const { newPrimary, mrIid = null, epochUtc } = body
    const epochMs = epochUtc === undefined ? null : Date.parse(epochUtc)
    const syncScheduled = takeovers.announce({ newPrimary, mrIid, epochMs }, actorOf(caller), dryRun)
    return right({ body: { recorded: !dryRun, syncScheduled } })
  },
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

type Refused = RefusalOf<(typeof takeoverRoutes)['fleet.takeover.run']['refusals'][number]>

const refusalOf = (refusal: TakeoverRefusal, setting: string): Refused => {
  const detail = describeRefusal(refusal, setting)
  switch (refusal._tag) {
    case 'actuation_unavailable':
      return refuse('actuation_unavailable', detail, { setting })
    case 'bad_request':
      return refuse('bad_request', detail, { fault: refusal.fault })
    case 'takeover_cooldown': {
      const { mrIid, mrUrl, endsAtMs } = refusal.cooldown
      return refuse('takeover_cooldown', detail, { mrIid, mrUrl, endsUtc: instantOf(endsAtMs) })
    }
    case 'target_ineligible': {
      const { target, reasons } = refusal
      return refuse('target_ineligible', detail, { target, reasons })
    }
    case 'no_candidate':
      return refuse('no_candidate', detail, { rejections: refusal.rejections })
    case 'not_corroborated': {
      const { apex, misses, needed } = refusal
      return refuse('not_corroborated', detail, { apex, misses, needed })
    }
  }
}

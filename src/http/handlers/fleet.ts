import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import { DerivedKind, derivedKinds, type derivedRoutes, derivedStampHeader } from '#protocol/fleet/derived.js'
import type { monitorRoutes } from '#protocol/fleet/monitor.js'
import type { fleetRoutes, peerRoutes } from '#protocol/fleet/peer-routes.js'
import type { PeerReport, StatusCard } from '#protocol/fleet/peers.js'
import type { takeoverRoutes } from '#protocol/fleet/takeover-routes.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { listOutlooks } from '#src/domain/fleet/candidates.js'
import { artifactStatusOf, listDerived } from '#src/domain/fleet/derived.js'
import { cardMinutesOf, type PeerRecord } from '#src/domain/fleet/peers.js'
import { cardRoleOf } from '#src/domain/fleet/role.js'
import { describeRefusal, type TakeoverRefusal } from '#src/domain/fleet/takeover-refusals.js'
import { actorOf } from '#src/http/checks/arrival.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Takeovers } from '#src/ports/fleet.js'
import type { Host } from '#src/ports/host.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** What a status card is made of. */
type CardFacts = Pick<Host, 'bootId' | 'bootMs' | 'fleet' | 'imageDigest' | 'syncAgeMs' | 'version'>

/** The status card of this host. */
export const statusCardOf = (node: CardFacts, snapshot: Snapshot | null, nowMs: number): StatusCard => {
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

export const fleetHandlers: Handlers<typeof fleetRoutes, CardFacts> = {
  'fleet.status.get': ({ node, snapshot, nowMs }) => right({ body: statusCardOf(node, snapshot, nowMs) }),
}

/** The derived artifacts (A 4.10). */
export const derivedHandlers: Handlers<typeof derivedRoutes, Pick<Host, 'derived'>> = {
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

/** The view of the outside monitor (A 4.10). */
export const monitorHandlers: Handlers<typeof monitorRoutes, Pick<Host, 'monitor'>> = {
  'fleet.monitor.get': ({ node }) => right({ body: node.monitor() }),
}

/** What the rows of the other towns read. */
export type PeerFacts = CardFacts &
  Pick<Host, 'peers'> & { readonly takeovers: Pick<Takeovers, 'missingSetting'> }

/** The other towns as this host sees them (A 4.10). */
export const peersHandlers: Handlers<typeof peerRoutes, PeerFacts> = {
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

/** The takeover of the role of the apex, and the announcement of one (A 4.10). */
export const takeoverHandlers: Handlers<typeof takeoverRoutes, Pick<Host, 'takeovers'>> = {
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

import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { TakeoverActuatorMessage } from '#actors/fleet/takeover-actuator.js'
import { instantOf } from '#protocol/atoms.js'
import type { FleetMonitor } from '#protocol/fleet/monitor.js'
import type { LastTakeover } from '#protocol/fleet/peers.js'
import { type Flip, LastingFailure, type TakeoverJob } from '#protocol/fleet/takeover.js'
import type { Config } from '#protocol/host/config.js'
import { takeoverGit } from '#src/adapters/sync/remote/takeover-git.js'
import type { TopologyFence } from '#src/domain/fleet/role.js'
import { describeTakeoverError } from '#src/domain/fleet/takeover.js'
import {
  cooldownOf,
  decideTakeover,
  type MergedTakeover,
  type TakeoverCooldown,
  type TakeoverFacts,
  type TakeoverRefusal,
  type TakeoverRequest,
  takeoverRefusals,
} from '#src/domain/fleet/takeover-refusals.js'
import {
  assumeTakeover,
  branchOfFlip,
  type CooldownWord,
  describeEvidence,
  findMergedTakeover,
  type TakeoverAction,
  type TakeoverOutcome,
} from '#src/domain/fleet/takeover-run.js'
import { realClock } from '#src/kernel/time/clock.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { AcceptedTakeover, ForgePort, Peers, Takeovers } from '#src/ports/fleet.js'
import type { TakeoverGit } from '#src/ports/git.js'
import type { Audit, Meter, Publish, TakeoverRecord, TakeoverStore } from '#src/ports/records.js'
import type { WriteActor } from '#src/writing/command.js'
import type { Secrets } from '../identity/secrets.js'
import type { Log } from '../records/records.js'
import { type Checkout } from '../start/checkout.js'
import { reasonOf } from '../start/environment.js'
import type { NodePeers, PeerTable } from './peers.js'
import { forgeOf, type HostForge, type KnownTowns, noTowns } from './view.js'

/** The parts of takeovers that the rows and the actuator share. */
export interface NodeTakeovers {
  readonly towns: KnownTowns
  readonly forge: HostForge
  readonly git: TakeoverGit
  readonly cooldown: CooldownCache
  readonly errors: TakeoverErrors
}

/** Opens the parts of takeovers; makes no call. */
export const nodeTakeovers = (
  { checkout, config, town, secrets, version, meter, log }: Sources,
  towns: KnownTowns = noTowns,
): NodeTakeovers => {
  const forge = forgeOf({ config, secrets, version, meter, nowMs: realClock.nowMs })
  const git = takeoverGit({
    repo: checkout.repo,
    state: checkout.state,
    remote: config['server.sync_remote'],
    branch: config['server.sync_branch'],
    town,
    breathe: daemonBreather(),
  })
  const cooldown = openCooldown({
    readFlip: git.readFlip,
    onUnread: error => log.warn('takeover_origin_unread', { reason: reasonOf(error) }),
    forge: forge._tag === 'Forge' ? forge.call : null,
    cooldownHours: config['fleet.auto_failover.cooldown_hours'],
    nowMs: realClock.nowMs,
    monotonicMs: realClock.monotonicMs,
  })
  return { towns, forge, git, cooldown, errors: openTakeoverErrors() }
}

export interface TakeoverSources {
  readonly self: string
  readonly config: Pick<Config, 'fleet.auto_failover.after_sweeps'>
  readonly towns: KnownTowns
  readonly monitor: () => Pick<FleetMonitor, 'document' | 'stale'>
  readonly forge: HostForge
  readonly cooldown: Pick<CooldownCache, 'current'>
  readonly store: Pick<TakeoverStore, 'enqueue' | 'active' | 'announce' | 'failuresOf'>
  readonly meter: Pick<Meter, 'count'>
  readonly audit: Audit
  readonly publish: Publish
  /** Tells the actuator that a job may wait. */
  readonly wake: (message: TakeoverActuatorMessage) => void
  /** Brings the next converge forward; returns whether it was due already. */
  readonly convergeSoon: () => void
  readonly isSyncEnabled: () => boolean
  /** Wall time. */
  readonly nowMs: () => number
  readonly monotonicMs: () => number
  /** A globally unique id. */
  readonly newId: () => string
}

/** What decides a takeover, read now. */
export const takeoverFactsOf = ({ self, config, towns, forge, cooldown }: FactSources): TakeoverFacts => ({
  canActuate: forge._tag === 'Forge',
  cooldown: cooldown.current(towns.fence()),
  fleet: towns.view(),
  self,
  afterSweeps: config['fleet.auto_failover.after_sweeps'],
})

/** Decides requests of a takeover and records announcements. It believes nothing of an announcement (S11). */
export const openTakeovers = (setup: TakeoverSources): Takeovers => {
  const { forge, store, meter, audit, convergeSoon, isSyncEnabled, nowMs, monotonicMs } = setup
  let announcedAtMs: number | null = null
  return {
    missingSetting: () => (forge._tag === 'Forge' ? null : forge.why),
    request: (request, actor, dryRun) => requestTakeover(setup, request, actor, dryRun),
    announce: (announcement, actor, dryRun) => {
      if (dryRun) return isSyncEnabled()
      const isCoalesced = announcedAtMs !== null && monotonicMs() - announcedAtMs < coalesceMs
      if (!isCoalesced) announcedAtMs = monotonicMs()
      store.announce(announcement, nowMs())
      meter.count('svc_fleet_announces_total', { coalesced: String(isCoalesced) })
      audit({ action: 'fleet.announce', actor: actor.name, town: announcement.newPrimary })
      convergeSoon()
      return isSyncEnabled()
    },
  }
}

export const openTakeoverErrors = (): TakeoverErrors => {
  let job: TakeoverJob | null = null
  let last: TakeoverError | null = null
  return {
    begin: begun => {
      job = begun
      last = null
    },
    take: (action, outcome, atMs) => {
      const detail = job === null ? null : describeTakeoverError(job, action, outcome)
      if (job === null || detail === null) return null
      const isKnown = last?.detail === detail
      last = { jobId: job.id, atMs, detail }
      return isKnown ? null : last
    },
    last: () => last,
  }
}

/** The cooldown of takeovers, cached: rows read it, and the actuator refreshes it. */
export interface CooldownCache {
  /** Null off the fleet and without a cooldown. A version that was not looked at yet counts as just taken over. */
  readonly current: (fence: TopologyFence | null) => TakeoverCooldown | null
  /** Looks at a new version of the topology, and asks the forge where its word is missing or old. */
  readonly refresh: (fence: TopologyFence | null, signal: AbortSignal) => Promise<void>
  /** Asks the forge where its word is missing or old, and says what it said: a commit's date does not count (S7). */
  readonly ask: (fence: TopologyFence, signal: AbortSignal) => Promise<CooldownWord>
  /** Remembers the clock of the forge from an answer. */
  readonly sawDate: (dateMs: number | null) => void
}

/** Creates the cache. Its clock is the last `Date` of the forge; a step of this host's clock does not move it (S7). */
export const openCooldown = (setup: CooldownSources): CooldownCache => {
  const { forge, cooldownHours, nowMs, monotonicMs } = setup
  const readFlip = flipReader(setup)
  let dateMs: number | null = null
  let askedAtMs: number | null = null
  let origin: Origin | null = null

  const cooldownBy = (takeover: MergedTakeover | null): TakeoverCooldown | null =>
    cooldownOf(takeover, cooldownHours, dateMs ?? nowMs())
  const isFresh = (): boolean => askedAtMs !== null && monotonicMs() - askedAtMs < freshMs

  /** Asks the forge about a version. Returns whether another call is useless, as without access. */
  const askForge = async (known: Origin, signal: AbortSignal): Promise<boolean> => {
    if (forge === null) return true
    const flip = await readFlip(known.fenceCommit)
    if (flip === undefined) return false
    askedAtMs = monotonicMs()
    const found = await findTakeover(forge, flip, known.fenceCommit, signal)
    if (found.dateMs !== null) dateMs = found.dateMs
    const { takeover } = found
    if (takeover !== undefined) origin = { ...known, takeover, isSure: true }
    return found.isDenied
  }

  /** What is known of the version, after a look at it where it is new; null where git could not read it. */
  const look = async (fence: TopologyFence): Promise<Origin | null> => {
    if (origin?.fenceCommit === fence.commit) return origin
    const flip = await readFlip(fence.commit)
    if (flip === undefined) return null
    const takeover = flip === null ? null : assumeTakeover(flip)
    origin = { fenceCommit: fence.commit, takeover, isSure: false }
    askedAtMs = null
    return origin
  }

  return {
    current: fence => {
      if (fence === null) return null
      if (origin?.fenceCommit === fence.commit) return cooldownBy(origin.takeover)
      return cooldownBy({ mrIid: null, mrUrl: null, mergedAtMs: dateMs ?? nowMs() })
    },
    refresh: async (fence, signal) => {
      const known = fence === null ? null : await look(fence)
      if (known === null || isFresh()) return
      if (!known.isSure || cooldownBy(known.takeover) !== null) await askForge(known, signal)
    },
    ask: async (fence, signal) => {
      const known = await look(fence)
      if (known === null) return 'unknown'
      const isOld = !isFresh() && cooldownBy(known.takeover) !== null
      if ((!known.isSure || isOld) && (await askForge(known, signal))) return 'refused'
      if (origin?.fenceCommit !== fence.commit || !origin.isSure) return 'unknown'
      return cooldownBy(origin.takeover) === null ? 'over' : 'runs'
    },
    sawDate: seenMs => {
      if (seenMs !== null) dateMs = seenMs
    },
  }
}

export interface PeersSources {
  readonly checkout: { readonly runtime: { readonly takeovers: Pick<TakeoverStore, 'last'> } }
  readonly config: Pick<Config, 'fleet.auto_failover.after_sweeps'>
  readonly options: { readonly town: string }
  readonly peers: Pick<NodePeers, 'intervalMs'> & {
    readonly table: Pick<PeerTable, 'records' | 'isIsolated'>
  }
  readonly takeovers: Pick<NodeTakeovers, 'towns' | 'forge'> & {
    readonly cooldown: Pick<CooldownCache, 'current'>
    readonly errors: Pick<TakeoverErrors, 'last'>
  }
}

/** What the front reads of the peers: all from memory. */
export const peersOf = ({ checkout, config, options, peers, takeovers }: PeersSources): Peers => {
  const store = checkout.runtime.takeovers
  return {
    records: peers.table.records,
    isIsolated: peers.table.isIsolated,
    watchIntervalMin: peers.intervalMs / minuteMs,
    afterSweeps: config['fleet.auto_failover.after_sweeps'],
    view: takeovers.towns.view,
    lastTakeover: () => {
      const last = store.last()
      return last === null ? null : describeTakeover(last, takeovers.errors.last())
    },
    obstacles: () =>
      takeoverRefusals(takeoverFactsOf({ ...takeovers, self: options.town, config }), {
        reason: 'now',
        target: null,
        isForced: false,
      }),
  }
}

interface Sources {
  readonly checkout: Pick<Checkout, 'repo' | 'state'>
  readonly config: Config
  readonly town: string
  readonly secrets: Secrets
  readonly version: string
  readonly meter: Meter
  readonly log: Pick<Log, 'warn'>
}

/** Announcements within this time share a converge. */
const coalesceMs = 5_000

type FactSources = Pick<TakeoverSources, 'self' | 'config' | 'towns' | 'forge' | 'cooldown'>

/** The job of an accepted request; null off the fleet, where none is accepted. */
const jobOf = (
  { self, towns, monitor, newId }: TakeoverSources,
  { reason, isForced }: TakeoverRequest,
  town: string,
  actor: WriteActor,
): TakeoverJob | null => {
  const [fleet, fence] = [towns.view(), towns.fence()]
  if (fleet === null || fence === null) return null
  const { apex, term } = fleet.topology
  const evidence = describeEvidence(fleet, monitor(), self, actor.name)
  return { id: `takeover-${newId()}`, town, reason: reason ?? '', isForced, apex, term, fence, evidence }
}

/** How the last job for this version of the topology failed, where the next one fails as well until a person acts. */
const foreseeFailure = ({ towns, store }: TakeoverSources): LastingFailure | null => {
  const fence = towns.fence()
  const [newest] = fence === null ? [] : store.failuresOf(fence.commit)
  return LastingFailure.is(newest) ? newest : null
}

const queueJob = (setup: TakeoverSources, job: TakeoverJob, actor: WriteActor): AcceptedTakeover => {
  const { store, meter, audit, publish, wake, nowMs } = setup
  const earlierFailure = foreseeFailure(setup)
  const { isNew, record } = store.enqueue(job, nowMs())
  meter.count('svc_fleet_takeover_requests_total', { result: isNew ? 'accepted' : 'existing' })
  wake({ _tag: 'Wake' })
  if (!isNew) return { target: job.town, known: record, earlierFailure }
  const { id, town, apex, term } = job
  audit({ action: 'fleet.takeover', actor: actor.name, id, town, apex, term, forced: String(job.isForced) })
  publish('fleet:takeover', { id, town, apex, term, state: 'queued', failure: null, mrIid: null })
  return { target: town, known: null, earlierFailure }
}

const requestTakeover = (
  setup: TakeoverSources,
  request: TakeoverRequest,
  actor: WriteActor,
  dryRun: boolean,
): Either<TakeoverRefusal, AcceptedTakeover> => {
  const decision = decideTakeover(takeoverFactsOf(setup), request)
  if (decision._tag === 'Refused') {
    if (!dryRun) setup.meter.count('svc_fleet_takeover_requests_total', { result: decision.refusal._tag })
    return left(decision.refusal)
  }
  const { target } = decision
  if (dryRun) {
    const known = setup.store.active().find(({ job }) => job.town === target) ?? null
    return right({ target, known, earlierFailure: foreseeFailure(setup) })
  }
  const job = jobOf(setup, request, target, actor)
  return job === null ? left({ _tag: 'no_candidate', rejections: [] }) : right(queueJob(setup, job, actor))
}

/** The last error of a job that this host works on. */
interface TakeoverError {
  readonly jobId: string
  /** Wall time. */
  readonly atMs: number
  readonly detail: string
}

/** Keeps the last error of the job that the actuator works on, in memory. */
interface TakeoverErrors {
  /** Begins with a job: what an earlier one met is forgotten. */
  readonly begin: (job: TakeoverJob) => void
  /** Takes what an action of the job brought. Returns its error where it is another one than the last. */
  readonly take: (action: TakeoverAction, outcome: TakeoverOutcome, atMs: number) => TakeoverError | null
  readonly last: () => TakeoverError | null
}

/** How long the date of the forge may be old while a cooldown runs. */
const freshMs = 300_000
const callLimitMs = 20_000

interface CooldownSources {
  /** Receives why git could not read a version; the cooldown stays as it is until the next look. */
  readonly onUnread: (error: unknown) => void
  readonly readFlip: TakeoverGit['readFlip']
  /** Null where the host has no forge. */
  readonly forge: ForgePort | null
  readonly cooldownHours: number
  /** Wall time, used until the forge has answered. */
  readonly nowMs: () => number
  readonly monotonicMs: () => number
}

/** What is known of the flip that made a version of the topology. */
interface Origin {
  readonly fenceCommit: string
  readonly takeover: MergedTakeover | null
  /** Whether the forge said so. */
  readonly isSure: boolean
}

/** Undefined where git failed: the version is looked at again, and counts as just taken over until then. */
const flipReader =
  ({ readFlip, onUnread }: CooldownSources) =>
  async (commit: string): Promise<Flip | null | undefined> => {
    try {
      return await readFlip(commit)
    } catch (error) {
      onUnread(error)
      return undefined
    }
  }

/** The takeover that made a flip, by the forge; undefined where it did not say. */
const findTakeover = async (
  forge: ForgePort,
  flip: Flip | null,
  fenceCommit: string,
  signal: AbortSignal,
): Promise<{ takeover: MergedTakeover | null | undefined; dateMs: number | null; isDenied: boolean }> => {
  if (flip === null) return { takeover: null, dateMs: null, isDenied: false }
  const call = { _tag: 'ListRequests', sourceBranch: branchOfFlip(flip) } as const
  const { outcome, dateMs } = await forge(call, callLimitMs, signal)
  const isListed = outcome._tag === 'Requests'
  return {
    takeover: isListed ? findMergedTakeover(flip, fenceCommit, outcome.requests) : undefined,
    dateMs,
    isDenied: outcome._tag === 'Denied' || outcome._tag === 'Missing',
  }
}

const minuteMs = 60_000

const describeTakeover = (
  { job, state, requestedMs, failure, detail, request }: TakeoverRecord,
  error: TakeoverError | null,
): LastTakeover => ({
  target: job.town,
  reason: job.reason,
  status: state,
  requestedUtc: instantOf(requestedMs),
  failure,
  detail,
  mrUrl: request?.url ?? null,
  lastError:
    state === 'running' && error?.jobId === job.id
      ? { atUtc: instantOf(error.atMs), detail: error.detail }
      : null,
})

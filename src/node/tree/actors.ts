import { chatCourier } from '#actors/chat/chat-courier.js'
import { chatSender } from '#actors/chat/chat-sender.js'
import { dispatchQueue } from '#actors/chat/dispatch-queue.js'
import { followUpCourier } from '#actors/chat/follow-up-courier.js'
import { corpusKeeper, type KeeperOptions, type KeeperPorts } from '#actors/corpus-keeper/corpus-keeper.js'
import { eventJournal } from '#actors/event-journal.js'
import { artifactCopier } from '#actors/fleet/artifact-copier.js'
import { failover } from '#actors/fleet/failover.js'
import { monitorWatcher } from '#actors/fleet/monitor-watcher.js'
import { takeoverActuator } from '#actors/fleet/takeover-actuator.js'
import { workloadTicker } from '#actors/fleet/workload-ticker.js'
import { httpFront } from '#actors/http-front.js'
import { jobRunner } from '#actors/job-runner.js'
import { keyKeeper } from '#actors/key-keeper.js'
import { logFetcher } from '#actors/log-fetcher.js'
import { mentionIndex } from '#actors/mention-index.js'
import { modelKeeper } from '#actors/model-keeper.js'
import { readerPool } from '#actors/reader-pool/reader-pool.js'
import { repositoryCleaner } from '#actors/repository-cleaner.js'
import { repositorySync } from '#actors/repository-sync/repository-sync.js'
import { rosterKeeper } from '#actors/roster-keeper.js'
import { searchTier } from '#actors/search-tier.js'
import { streams } from '#actors/streams.js'
import { transcriptIndex } from '#actors/transcript-index.js'
import { writeGate } from '#actors/write-gate/write-gate.js'
import { deliveryStatuses } from '#protocol/chat/delivery.js'
import { dispatchKinds } from '#protocol/chat/dispatch.js'
import type { FleetMonitor } from '#protocol/fleet/monitor.js'
import type { Config } from '#protocol/host/config.js'
import { jobKinds } from '#protocol/host/jobs.js'
import { type SupervisorReading, supervisorStates } from '#protocol/host/kernel.js'
import { type CheckedInvariant, type GateArm, gateArms } from '#protocol/host/metrics.js'
import { challengesMax } from '#protocol/identity/sign-in.js'
import { watchLoopLag } from '#src/adapters/metrics/process-meter.js'
import { walBytes } from '#src/adapters/runtime/runtime-db.js'
import type { GateState } from '#src/domain/admin/gate-arms.js'
import { untilNextDayMs } from '#src/domain/lore/rows/days.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import type { Kernel } from '#src/kernel/kernel.js'
import type { ActorTree, GiveUp } from '#src/kernel/run-tree.js'
import type { Child } from '#src/kernel/supervision/child.js'
import type { SupervisorPolicy, SupervisorSpec } from '#src/kernel/supervision/supervisor-spec.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Challenges, RosterFetches } from '#src/ports/identity.js'
import {
  type DeliveryStore,
  type DispatchStore,
  type Intents,
  type JobStore,
  jobStates,
  type Meter,
  type TakeoverStore,
  takeoverStates,
} from '#src/ports/records.js'
import { markersOf, putBetween } from '#src/reference/put-between.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { archive } from '#supervisors/archive.js'
import { authority } from '#supervisors/authority.js'
import { corpus } from '#supervisors/corpus.js'
import { delivery } from '#supervisors/delivery.js'
import { fleet } from '#supervisors/fleet.js'
import { front } from '#supervisors/front.js'
import { identity } from '#supervisors/identity.js'
import { abandonedAfterThree, node } from '#supervisors/node.js'
import { peers } from '#supervisors/peers.js'
import { search } from '#supervisors/search.js'
import { store } from '#supervisors/store.js'
import { logFetcherPorts } from '../archive/log-fetching.js'
import { chatCourierPorts, limitRules } from '../chat/chat.js'
import { dispatchQueuePorts, followUpPorts, tickRules } from '../chat/dispatch.js'
import { chatSenderPortsOf } from '../chat/open-chat.js'
import { copierOptions } from '../fleet/derived.js'
import { workloadTickerPorts } from '../fleet/fleet.js'
import { failoverPorts, takeoverActuatorPorts } from '../fleet/takeover-work.js'
import type { CooldownCache } from '../fleet/takeovers.js'
import { type KnownTowns, monitorWatcherOptions } from '../fleet/view.js'
import { gatePorts, hostWritePort, jobRunnerPorts } from '../gate/gate.js'
import { rightsLog, rosterKeeperPorts, rosterOptions } from '../identity/identity.js'
import { keyKeeperPorts, keyTtls } from '../identity/sign-in.js'
import { lookLog, publishGenerations, tellOfCommits } from '../records/records.js'
import { ownTiers } from '../search/search.js'
import type { HeldTrees } from '../start/trees.js'
import { objectStoreOf, syncPorts } from '../sync/repository-sync.js'
import { placeTrees, tellOfTreeCommits } from '../sync/tree-sync.js'
import { mentionOptions } from '../transcripts/mentions.js'
import { type ActorOptions, actorRow, type HostNode, type PortSources, type SupervisorName } from './node.js'
import type { ActorMessages, ActorRefs } from './refs.js'

const once = (act: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** The ports of the corpus keeper on this host. */
const keeperPorts = (sources: PortSources): KeeperPorts => {
  const { blocks, held, lastLook, load, log, records, snapshot, refs } = sources
  const failures = lookLog(log)
  const published = publishGenerations(records.publish)
  const wrote = tellOfCommits([refs.sync, refs.cleaner])
  const wroteTrees = tellOfTreeCommits(sources)
  const rights = rightsLog(log, snapshot)
  const firstRead = once(() => void tell(refs.dispatches, { _tag: 'LoreRead' }))
  return {
    load,
    cell: held,
    looked: outcome => {
      lastLook.set(outcome)
      failures(outcome)
      published(outcome)
      wrote(outcome)
      wroteTrees()
      rights(outcome)
      if (snapshot() !== null) firstRead()
    },
    watch: blocks.watch,
  }
}

/**
 * The actors of a node, one row each. Within a supervisor they start in this order, each after the one before
 * reported ready, and drain in reverse; `supervisors/node.ts` has the order of the supervisors.
 */
export const actors = {
  journal: actorRow({
    name: 'event-journal',
    supervisor: 'store',
    task: 'numbers and keeps events',
    policy: { restart: 'permanent', drainMs: 3_000 },
    behaviour: () => eventJournal,
    ports: ({ records }) => records.events.journal,
  }),
  streams: actorRow({
    name: 'streams',
    supervisor: 'store',
    task: 'keeps operational, request and audit records',
    policy: { restart: 'permanent', drainMs: 3_000 },
    behaviour: () => streams,
    ports: ({ records }) => records.streams.work,
  }),
  keeper: actorRow({
    name: 'corpus-keeper',
    supervisor: 'corpus',
    task: 'fills the cell with the current snapshot',
    policy: { restart: 'permanent', drainMs: 2_000 },
    behaviour: ({ config }) => corpusKeeper(keeperOptions(config)),
    ports: keeperPorts,
  }),
  readers: actorRow({
    name: 'reader-pool',
    supervisor: 'corpus',
    task: 'starts reader threads, and starts again those that ended',
    policy: {
      restart: 'permanent',
      drainMs: 2_000,
      restartsMax: 3,
      windowMs: 300_000,
      onGiveUp: 'abandon',
    },
    behaviour: ({ config }) => readerPool(config['server.reader_threads']),
    ports: ({ readers }) => readers.exchange,
  }),
  search: actorRow({
    name: 'search-tier',
    supervisor: 'search',
    task: 'builds the search indexes, and starts the threads that rank',
    policy: {
      restart: 'permanent',
      drainMs: 2_000,
      restartsMax: 3,
      windowMs: 300_000,
      onGiveUp: 'abandon',
    },
    behaviour: ({ config }) => searchTier(ownTiers(config)),
    ports: ({ search }) => search.threads,
  }),
  gate: actorRow({
    name: 'write-gate',
    supervisor: 'authority',
    task: 'the single writer',
    policy: { restart: 'permanent', drainMs: 10_000 },
    behaviour: () => writeGate,
    ports: gatePorts,
  }),
  jobs: actorRow({
    name: 'job-runner',
    supervisor: 'authority',
    task: 'runs what is answered with 202',
    policy: { restart: 'permanent', drainMs: 10_000, restartsMax: 5 },
    behaviour: () => jobRunner,
    ports: jobRunnerPorts,
  }),
  sync: actorRow({
    name: 'repository-sync',
    supervisor: 'authority',
    task: 'fetches, merges, pushes',
    policy: { restart: 'permanent', drainMs: 4_000 },
    behaviour: ({ sync }) => repositorySync(sync.setup),
    ports: node => syncPorts(node, hostWritePort(node)),
  }),
  cleaner: actorRow({
    name: 'repository-cleaner',
    supervisor: 'authority',
    task: 'packs loose objects, collects garbage',
    policy: abandonedAfterThree,
    behaviour: ({ config }) => repositoryCleaner(config['server.gc_interval_min'] * 60_000),
    ports: objectStoreOf,
  }),
  transcripts: actorRow({
    name: 'transcript-index',
    supervisor: 'archive',
    task: 'indexes the transcripts of the archive',
    policy: abandonedAfterThree,
    behaviour: () => transcriptIndex,
    ports: ({ transcripts }) => transcripts.ports,
  }),
  mentions: actorRow({
    name: 'mention-index',
    supervisor: 'archive',
    task: 'makes the index of the names in transcripts',
    policy: abandonedAfterThree,
    behaviour: ({ config }) => mentionIndex(mentionOptions(config)),
    ports: ({ mentions }) => mentions.ports,
  }),
  logs: actorRow({
    name: 'log-fetcher',
    supervisor: 'archive',
    task: 'fetches transcripts, two at a time of a host',
    policy: abandonedAfterThree,
    behaviour: () => logFetcher,
    ports: logFetcherPorts,
  }),
  models: actorRow({
    name: 'model-keeper',
    supervisor: 'archive',
    task: 'reads the store of models, and follows training runs',
    policy: abandonedAfterThree,
    behaviour: () => modelKeeper,
    ports: ({ models }) => models.ports,
  }),
  keys: actorRow({
    name: 'key-keeper',
    supervisor: 'identity',
    task: 'keeps the public keys that sign-in is verified with',
    policy: { restart: 'permanent', drainMs: 1_000, onGiveUp: 'abandon' },
    behaviour: ({ config }) => keyKeeper(keyTtls(config)),
    ports: keyKeeperPorts,
  }),
  roster: actorRow({
    name: 'roster-keeper',
    supervisor: 'identity',
    task: 'asks the roster of the world who is online',
    policy: { restart: 'permanent', drainMs: 1_000, onGiveUp: 'abandon' },
    behaviour: ({ config }) => rosterKeeper(rosterOptions(config)),
    ports: rosterKeeperPorts,
  }),
  chat: actorRow({
    name: 'chat-courier',
    supervisor: 'delivery',
    task: 'makes the calls of the chat platform, one at a time',
    policy: { restart: 'permanent', drainMs: 4_000, onGiveUp: 'abandon' },
    behaviour: ({ config }) => chatCourier(limitRules(config)),
    ports: sources => chatCourierPorts({ ...sources, meter: sources.metrics.meter }),
  }),
  dispatches: actorRow({
    name: 'dispatch-queue',
    supervisor: 'delivery',
    task: 'enacts the interactions of the chat, one at a time',
    policy: { restart: 'permanent', drainMs: 4_000, onGiveUp: 'abandon' },
    behaviour: ({ config }) => dispatchQueue(tickRules(config)),
    ports: dispatchQueuePorts,
  }),
  followUps: actorRow({
    name: 'follow-up-courier',
    supervisor: 'delivery',
    task: 'sends the answers to interactions',
    policy: { restart: 'permanent', drainMs: 4_000, onGiveUp: 'abandon' },
    behaviour: () => followUpCourier,
    ports: followUpPorts,
  }),
  outbox: actorRow({
    name: 'chat-sender',
    supervisor: 'delivery',
    task: 'sends the messages of the outbox, channel by channel',
    policy: { restart: 'permanent', drainMs: 4_000, onGiveUp: 'abandon' },
    behaviour: () => chatSender,
    ports: chatSenderPortsOf,
  }),
  takeovers: actorRow({
    name: 'takeover-actuator',
    supervisor: 'fleet',
    task: 'carries out takeovers through the forge, one at a time',
    policy: abandonedAfterThree,
    behaviour: ({ town }) => takeoverActuator(town),
    ports: takeoverActuatorPorts,
  }),
  failover: actorRow({
    name: 'failover',
    supervisor: 'fleet',
    task: 'asks for a takeover when the apex stays dark',
    policy: {
      restart: 'permanent',
      drainMs: 1_000,
      restartsMax: 3,
      windowMs: 600_000,
      onGiveUp: 'abandon',
    },
    behaviour: () => failover,
    ports: failoverPorts,
  }),
  monitor: actorRow({
    name: 'monitor-watcher',
    supervisor: 'fleet',
    task: 'fetches the document of the outside monitor',
    policy: {
      restart: 'permanent',
      drainMs: 500,
      restartsMax: 5,
      windowMs: 60_000,
      onGiveUp: 'abandon',
    },
    behaviour: ({ config }) => monitorWatcher(monitorWatcherOptions(config)),
    ports: ({ monitor }) => monitor.ports,
  }),
  workloads: actorRow({
    name: 'workload-ticker',
    supervisor: 'fleet',
    task: 'runs the recurring workloads that the fleet owns',
    policy: abandonedAfterThree,
    behaviour: ({ runners }) => workloadTicker(runners),
    ports: workloadTickerPorts,
  }),
  derived: actorRow({
    name: 'artifact-copier',
    supervisor: 'fleet',
    task: 'copies derived artifacts from another town',
    policy: {
      restart: 'permanent',
      drainMs: 1_000,
      restartsMax: 5,
      windowMs: 60_000,
      onGiveUp: 'abandon',
    },
    behaviour: ({ config }) => artifactCopier(copierOptions(config)),
    ports: ({ derived }) => derived.ports,
  }),
  front: actorRow({
    name: 'http-front',
    supervisor: 'front',
    task: 'owns the two listeners',
    policy: { restart: 'permanent', drainMs: 8_000 },
    behaviour: () => httpFront,
    ports: ({ listeners }) => listeners,
  }),
}

/**
 * Sets the gauges of the supervisors. A restart that leaves its window between two readings is not in the
 * second.
 */
export const collectSupervisors = (readings: ReadonlyArray<SupervisorReading>, meter: Meter): void => {
  for (const reading of readings) {
    const { supervisor } = reading
    for (const state of supervisorStates)
      meter.gauge('svc_supervisor_state', { supervisor, state }, state === reading.state ? 1 : 0)
    meter.gauge('svc_supervisor_restarts_in_window', { supervisor }, reading.restartsInWindow)
    meter.gauge('svc_supervisor_restarts_limit', { supervisor }, reading.restartsMax)
  }
}

/** Sets the gauges of takeovers: one for each state, and the end of the cooldown in seconds of the forge's clock. */
export const collectTakeovers = (
  store: Pick<TakeoverStore, 'counts'>,
  { towns, cooldown }: CooldownSources,
  meter: Meter,
): void => {
  const counts = new Map(store.counts().map(({ state, count }) => [state, count]))
  for (const status of takeoverStates)
    meter.gauge('svc_fleet_takeover_jobs', { status }, counts.get(status) ?? 0)
  const endsAtMs = cooldown.current(towns.fence())?.endsAtMs ?? 0
  meter.gauge('svc_fleet_takeover_cooldown_end_timestamp_seconds', {}, endsAtMs / 1_000)
}

/** Sets the gauges of interactions that wait. */
export const collectDispatches = (store: DispatchReadings, meter: Meter): void => {
  const running = store.running()
  for (const kind of dispatchKinds) {
    const { accepted, enacted, failed, refused } = store.counts()[kind]
    const runs = running.filter(one => one === kind).length
    const waits = accepted - enacted - failed - refused
    meter.gauge('svc_dispatch_queue_items', { kind, state: 'queued' }, waits - runs)
    meter.gauge('svc_dispatch_queue_items', { kind, state: 'running' }, runs)
    meter.gauge('svc_dispatch_oldest_item_timestamp_seconds', { kind }, (store.oldestMs(kind) ?? 0) / 1_000)
  }
}

/** The checks of invariants that compare two records of one fact. Each counts itself where they differ. */
export const checkInvariants = (
  kernel: Pick<Kernel, 'findUnbalanced'>,
  { dispatches, challenges }: CheckedStores,
  nowMs: number,
  meter: Meter,
): void => {
  const violate = (invariant: CheckedInvariant): void =>
    meter.count('svc_invariant_violations_total', { invariant })
  if (dispatches.waiting() !== dispatches.countUnended()) violate('S24')
  if (challenges.count(nowMs) > challengesMax) violate('S31')
  if (kernel.findUnbalanced().length > 0) violate('S33')
}

/** Updates the gauges before they are read. */
export const collectGauges =
  (
    kernel: Kernel,
    gate: () => GateState,
    snapshot: () => Snapshot | null,
    { runtime: stores, state }: CollectedCheckout,
    fleetParts: () => FleetReadings,
  ) =>
  (meter: Meter): void => {
    const { intents, jobs, challenges, rosterFetches, takeovers, deliveries, dispatches } = stores
    for (const reading of kernel.readings()) {
      const { actor } = reading
      meter.gauge('svc_actor_mailbox_messages', { actor }, reading.waiting)
      meter.gauge('svc_actor_mailbox_oldest_age_seconds', { actor }, reading.oldestMs / 1000)
    }
    collectSupervisors(kernel.supervisorReadings(), meter)
    collectGate(gate(), meter)
    collectJobs(jobs, meter)
    const fleet = fleetParts()
    collectTakeovers(takeovers, fleet.takeovers, meter)
    meter.gauge('svc_fleet_vantage_splits', {}, fleet.monitor.view().vantageSplit.length)
    collectDispatches(dispatches, meter)
    collectOutbox(deliveries, realClock.nowMs(), meter)
    meter.gauge('svc_intents_pending', { kind: 'landing' }, intents.prepared().length)
    meter.gauge('svc_store_wal_bytes', { store: 'runtime' }, walBytes(state))
    checkInvariants(kernel, stores, realClock.nowMs(), meter)
    meter.gauge('svc_loop_lag_ms', {}, watchLoopLag()())
    meter.gauge('svc_auth_challenges', {}, challenges.count(realClock.nowMs()))
    meter.gauge('svc_players_roster_fetches_hour', {}, rosterFetches.count(realClock.nowMs()))
    meter.gauge('svc_auth_fleet_epoch', {}, snapshot()?.fleetKeys.epoch ?? 0)
    meter.gauge('svc_snapshot_generation', {}, snapshot()?.generation ?? 0)
  }

export type ActorKey = keyof typeof actors

/** The real ports of each actor. */
export type TreePorts = { readonly [Key in ActorKey]: ReturnType<(typeof actors)[Key]['ports']> }

const isActorKey = (key: string): key is ActorKey => Object.hasOwn(actors, key)

/** The keys of the rows, in their order. */
export const actorKeys: ReadonlyArray<ActorKey> = Object.keys(actors).filter(isActorKey)

/** The actors under a supervisor, in the order in which they start. */
export const keysUnder = (supervisor: SupervisorName): ReadonlyArray<ActorKey> =>
  actorKeys.filter(key => actors[key].supervisor === supervisor)

/** A supervisor with its children from the rows. */
export const supervisorOf = (name: SupervisorName): SupervisorSpec<string> => ({
  ...policies[name],
  children: keysUnder(name).map(key => ({ id: actors[key].name, ...actors[key].policy })),
})

/** The actors of a node, placed. */
export interface PlacedTree {
  readonly refs: ActorRefs
  /** The further trees, each with the ref of its sync. */
  readonly trees: HostNode['trees']
  /** Makes the ports of every row from the sources, and those of the syncs of further trees. */
  readonly ports: (sources: PortSources) => TreePorts
  readonly run: (ports: TreePorts, onGiveUp: (notice: GiveUp) => void) => ActorTree
}

/**
 * Places every actor in the order of the rows; `run` starts the tree with the ports, which may hold the refs.
 */
export const placeTree = (kernel: Kernel, setup: ActorOptions, lists: TreeLists): PlacedTree => {
  const { trees, syncsOf } = placeTrees(kernel, setup.config, lists.further)
  let syncs: ReturnType<typeof syncsOf> = []
  const authorityOf = (ports: TreePorts) => {
    const { children, ...policy } = supervisorOf('authority')
    const rows = keysUnder('authority').map(key => [actors[key].name, nodeOf(key, ports)] as const)
    return kernel.group(
      {
        ...policy,
        children: [...children, ...syncs.map(({ name: id }) => ({ id, ...abandonedAfterThree }))],
      },
      Object.fromEntries([...rows, ...syncs.map(({ name, child }) => [name, child] as const)]),
    )
  }
  const places = mapActors<Places>(key => rows[key].place(kernel, setup))
  const nodeOf = <Key extends ActorKey>(key: Key, ports: TreePorts) => places[key].with(ports[key])
  const groupOf = (name: SupervisorName, ports: TreePorts) =>
    kernel.group(
      supervisorOf(name),
      Object.fromEntries(keysUnder(name).map(key => [actors[key].name, nodeOf(key, ports)])),
    )
  return {
    refs: mapActors<Refs>(key => places[key].ref),
    trees,
    ports: sources => {
      syncs = syncsOf(sources)
      return mapActors<TreePorts>(key => rows[key].ports(sources))
    },
    run: (ports, onGiveUp) =>
      kernel.run(
        node,
        {
          store: groupOf('store', ports),
          corpus: groupOf('corpus', ports),
          search: groupOf('search', ports),
          authority: authorityOf(ports),
          archive: groupOf('archive', ports),
          identity: groupOf('identity', ports),
          peers: lists.peers,
          delivery: groupOf('delivery', ports),
          fleet: groupOf('fleet', ports),
          front: groupOf('front', ports),
        },
        onGiveUp,
      ),
  }
}

/** Draws the supervisors and actors of a node in their order, as lines of Markdown. */
export const drawTree = (): string => {
  const last = node.children.length - 1
  const groups = node.children.flatMap(({ id }, at) => {
    const children = childrenOf(id)
    const trunk = at === last ? '    ' : '│   '
    return [
      lineOf(at === last ? '└── ' : '├── ', id, budgetOf(supervisorOf(id))),
      ...children.map(({ name, task }, row) =>
        lineOf(`${trunk}${row === children.length - 1 ? '└── ' : '├── '}`, name, task),
      ),
    ]
  })
  return [lineOf('', node.id, `${budgetOf(node)}, then the process leaves with 70`), ...groups].join('\n')
}

/** Puts the drawn tree between the markers of a document. Throws where the document lacks one of them. */
export const putTree = (document: string): string => putBetween(markers, document, drawTree())

/** Sets one gauge for each kind and state, so that the gauge returns to 0 after the last job of a kind. */
const collectJobs = (jobs: JobStore, meter: Meter): void => {
  const counts = new Map(jobs.counts().map(({ kind, state, count }) => [`${kind} ${state}`, count]))
  for (const kind of jobKinds)
    for (const status of jobStates)
      meter.gauge('svc_jobs', { kind, status }, counts.get(`${kind} ${status}`) ?? 0)
}

const collectGate = (state: GateState, meter: Meter): void => {
  const isOpen: Readonly<Record<GateArm, boolean>> = {
    snapshot_stale:
      typeof state.staleReason !== 'string' &&
      state.repositoryGone !== true &&
      (state.unreadLedgers ?? []).length === 0,
    state_gone: state.stateGone !== true,
    schema_new: state.format !== 'SchemaTooNew',
    schema_old: state.format !== 'SchemaTooOld',
    sync_stale: !state.syncStale,
    read_only: state.mode !== 'ReadOnly',
  }
  for (const arm of gateArms) meter.gauge('svc_write_gate_open', { arm }, isOpen[arm] ? 1 : 0)
}

interface CooldownSources {
  readonly towns: Pick<KnownTowns, 'fence'>
  readonly cooldown: Pick<CooldownCache, 'current'>
}

interface FleetReadings {
  readonly takeovers: CooldownSources
  readonly monitor: { readonly view: () => Pick<FleetMonitor, 'vantageSplit'> }
}

/** Sets the gauges of the outbox: one for each status, and the age of the message that waits longest. */
const collectOutbox = (
  { counts, oldestMs }: Pick<DeliveryStore, 'counts' | 'oldestMs'>,
  nowMs: number,
  meter: Meter,
): void => {
  const known = new Map(counts().map(({ status, count }) => [status, count]))
  for (const status of deliveryStatuses)
    meter.gauge('svc_chat_outbox_rows', { status }, known.get(status) ?? 0)
  const ageMs = Math.max(0, nowMs - (oldestMs() ?? nowMs))
  meter.gauge('svc_chat_outbox_oldest_age_seconds', {}, ageMs / 1_000)
}

type DispatchReadings = Pick<DispatchStore, 'counts' | 'oldestMs' | 'running'>

interface CheckedStores {
  readonly dispatches: Pick<DispatchStore, 'waiting' | 'countUnended'>
  readonly challenges: Pick<Challenges, 'count'>
}

interface CollectedCheckout {
  readonly runtime: CollectedStores
  readonly state: string
}

interface CollectedStores {
  readonly intents: Pick<Intents, 'prepared'>
  readonly jobs: JobStore
  readonly challenges: Challenges
  readonly rosterFetches: RosterFetches
  readonly takeovers: Pick<TakeoverStore, 'counts'>
  readonly dispatches: DispatchReadings & Pick<DispatchStore, 'waiting' | 'countUnended'>
  readonly deliveries: Pick<DeliveryStore, 'counts' | 'oldestMs'>
}

/** How often the keeper looks, and when its day ends. */
const keeperOptions = (config: Config): KeeperOptions => {
  const zone = config['server.time_zone']
  return {
    intervalMs: config['server.selfheal_interval_ms'],
    untilNextDayMs: nowMs => untilNextDayMs(nowMs, zone),
  }
}

/** An actor that `ActorMessages` does not name accepts no messages from others. */
type Messages = ActorMessages & Readonly<Record<Exclude<ActorKey, keyof ActorMessages>, never>>

type Refs = { readonly [Key in ActorKey]: Ref<Messages[Key]> }

interface PlaceOf<Key extends ActorKey> {
  readonly ref: Refs[Key]
  readonly with: (ports: TreePorts[Key]) => Child
}

type Places = { readonly [Key in ActorKey]: PlaceOf<Key> }

interface RowOf<Key extends ActorKey> {
  readonly place: (kernel: Kernel, setup: ActorOptions) => Places[Key]
  readonly ports: (sources: PortSources) => TreePorts[Key]
}

/** The rows, typed so that the compiler can follow a key to its types. */
const rows: { readonly [Key in ActorKey]: RowOf<Key> } = actors

const policies: Readonly<Record<SupervisorName, SupervisorPolicy>> = {
  store,
  corpus,
  search,
  authority,
  archive,
  identity,
  peers,
  delivery,
  fleet,
  front,
}

type Whole = Readonly<Record<ActorKey, unknown>>

type Partly<T extends Whole> = { -readonly [Key in ActorKey]?: T[Key] }

/** Makes a value for each actor, in the order of the rows. */
const mapActors = <T extends Whole>(make: <Key extends ActorKey>(key: Key) => T[Key]): T => {
  const made: Partly<T> = {}
  for (const key of actorKeys) made[key] = make(key)
  const isWhole = (values: Partly<T>): values is Partly<T> & T => actorKeys.every(key => key in values)
  if (!isWhole(made)) throw new Error('a row of the table of actors has no value')
  return made
}

/** What has no row: the group of `peers` by its list, and the further trees, whose syncs are last in `authority`. */
interface TreeLists {
  readonly peers: Child
  readonly further: HeldTrees['trees']
}

const textColumn = 28

const lineOf = (branch: string, name: string, text: string): string =>
  `    ${`${branch}${name}`.padEnd(textColumn)}${text}`

const budgetOf = ({ strategy, restartsMax, windowMs }: SupervisorPolicy): string =>
  `${strategy}, ${restartsMax} restarts in ${windowMs / 1000} s`

/** The children of the groups that follow a list, which have no rows. */
const listed: Readonly<Record<string, { readonly name: string; readonly task: string }>> = {
  peers: { name: 'peer-watcher TOWN', task: 'probes one other town of the fleet' },
}

const childrenOf = (id: SupervisorName): ReadonlyArray<{ readonly name: string; readonly task: string }> => {
  const list = listed[id]
  return list === undefined ? keysUnder(id).map(key => actors[key]) : [list]
}

const markers = markersOf('src/node/tree/actors.ts')

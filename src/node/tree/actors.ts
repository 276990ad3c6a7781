import { artifactCopier } from '#actors/artifact-copier.js'
import { chatCourier } from '#actors/chat-courier.js'
import { chatSender } from '#actors/chat-sender.js'
import { corpusKeeper } from '#actors/corpus-keeper/corpus-keeper.js'
import { dispatchQueue } from '#actors/dispatch-queue.js'
import { eventJournal } from '#actors/event-journal.js'
import { failover } from '#actors/failover.js'
import { followUpCourier } from '#actors/follow-up-courier.js'
import { httpFront } from '#actors/http-front.js'
import { jobRunner } from '#actors/job-runner.js'
import { keyKeeper } from '#actors/key-keeper.js'
import { monitorWatcher } from '#actors/monitor-watcher.js'
import { readerPool } from '#actors/reader-pool.js'
import { repositoryCleaner } from '#actors/repository-cleaner.js'
import { repositorySync } from '#actors/repository-sync/repository-sync.js'
import { rosterKeeper } from '#actors/roster-keeper.js'
import { searchTier } from '#actors/search-tier.js'
import { streams } from '#actors/streams.js'
import { takeoverActuator } from '#actors/takeover-actuator.js'
import { workloadTicker } from '#actors/workload-ticker.js'
import { writeGate } from '#actors/write-gate/write-gate.js'
import { tiersOfConfig } from '#src/domain/search/query.js'
import { abandonedAfterThree } from '#supervisors/node.js'
import { chatCourierPorts, limitRules } from '../chat/chat-courier.js'
import { chatSenderPortsOf } from '../chat/chat-parts.js'
import { dispatchQueuePorts, tickRules } from '../chat/dispatch-parts.js'
import { followUpPorts } from '../chat/follow-ups.js'
import { artifactCopierSetup } from '../fleet/derived/node-derived.js'
import { failoverPorts } from '../fleet/failover-parts.js'
import { monitorWatcherSetup } from '../fleet/node-monitor.js'
import { workloadTickerPorts } from '../fleet/role/workload-ticks.js'
import { takeoverActuatorPorts } from '../fleet/takeover-parts.js'
import { gatePorts } from '../gate/gate-ports.js'
import { keyKeeperPorts } from '../identity/sign-in/key-fetches.js'
import { keyKeeperSetup } from '../identity/sign-in/sign-in-keys.js'
import { jobRunnerPorts } from '../jobs/job-runner.js'
import { rosterKeeperPorts, rosterKeeperSetup } from '../players/roster-fetch.js'
import { objectStoreOf, syncPorts } from '../sync/sync-parts.js'
import { actorRow } from './actor-row.js'
import { keeperPorts, keeperSetup } from './keeper-ports.js'

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
    behaviour: ({ config }) => corpusKeeper(keeperSetup(config)),
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
    ports: ({ readers }) => readers.desk,
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
    behaviour: ({ config }) => searchTier(tiersOfConfig(config['server.search_index'])),
    ports: ({ search }) => search.desk,
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
    ports: syncPorts,
  }),
  cleaner: actorRow({
    name: 'repository-cleaner',
    supervisor: 'authority',
    task: 'packs loose objects, collects garbage',
    policy: abandonedAfterThree,
    behaviour: ({ config }) => repositoryCleaner(config['server.gc_interval_min'] * 60_000),
    ports: objectStoreOf,
  }),
  keys: actorRow({
    name: 'key-keeper',
    supervisor: 'identity',
    task: 'keeps the public keys that sign-in is verified with',
    policy: { restart: 'permanent', drainMs: 1_000, onGiveUp: 'abandon' },
    behaviour: ({ config }) => keyKeeper(keyKeeperSetup(config)),
    ports: keyKeeperPorts,
  }),
  roster: actorRow({
    name: 'roster-keeper',
    supervisor: 'identity',
    task: 'asks the roster of the world who is online',
    policy: { restart: 'permanent', drainMs: 1_000, onGiveUp: 'abandon' },
    behaviour: ({ config }) => rosterKeeper(rosterKeeperSetup(config)),
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
    behaviour: ({ config }) => monitorWatcher(monitorWatcherSetup(config)),
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
    behaviour: ({ config }) => artifactCopier(artifactCopierSetup(config)),
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

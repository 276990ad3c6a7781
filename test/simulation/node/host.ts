import { eventJournal } from '#actors/event-journal.js'
import { jobRunner } from '#actors/job-runner.js'
import { repositorySync } from '#actors/repository-sync/repository-sync.js'
import type { RepositorySyncMessage, SyncReport } from '#actors/repository-sync/state.js'
import type { GateRequest } from '#actors/write-gate/messages.js'
import type { GatePorts, ModeCell } from '#actors/write-gate/mode.js'
import { writeGate } from '#actors/write-gate/write-gate.js'
import type { PublishMode } from '#protocol/host/discovery.js'
import { isConverged, type SyncAction } from '#protocol/host/sync.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { type Kernel, openKernel } from '#src/kernel/kernel.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import { openReleaseNotices, type ReleaseNotices } from '#src/node/chat/enactment-notices.js'
import { modeCell } from '#src/node/fleet/role.js'
import { enactBy, reachedIn } from '#src/node/gate/enact.js'
import { jobsThrough } from '#src/node/gate/gate.js'
import { writePort } from '#src/node/gate/preview.js'
import { convergeThrough } from '#src/node/sync/sync.js'
import type { EventFeed, JobStore, Jobs, Publish } from '#src/ports/records.js'
import { makeCell } from '#src/snapshot/cell.js'
import type { WritePort } from '#src/writing/command.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { noMeter } from '#test/support/no-meter.js'
import { awardRow } from './awards.js'
import { performJob } from './clients.js'
import { closeRow } from './closes.js'
import { simChecked, simGatePorts, simPlanPorts } from './host-gate.js'
import { jobPorts } from './host-jobs.js'
import { hostJournal } from './host-journal.js'
import { simSyncPorts, staleness, syncSetup } from './host-sync.js'
import { saboteur } from './saboteur.js'
import type { SegmentDisk } from './segment-disk.js'
import { linkOf, simRemote } from './sim-remote.js'
import { type SimRepository, snapshotOf } from './sim-repository.js'
import type { Life } from './weather.js'
import type { World } from './world.js'

/** What of a host outlives its process, and the one that runs now. */
export interface SimHost {
  readonly name: string
  readonly mode: PublishMode
  readonly repository: SimRepository
  readonly journal: SegmentDisk
  readonly jobs: JobStore
  /** A client that reads the events in pages and comes back after every crash. */
  readonly reader: { readonly name: string; at: number }
  /** An operator waits for an answer of the gate. */
  isSetting: boolean
  lastAction: SyncAction | null
  lives: number
  running: Running | null
}

/** A process: the real actors over simulated ports. */
export interface Running {
  readonly life: Life
  readonly kernel: Kernel
  readonly tree: ActorTree
  readonly write: WritePort
  readonly publish: Publish
  readonly feed: EventFeed
  readonly jobs: Jobs
  readonly gate: Ref<GateRequest>
  readonly mode: ModeCell
  readonly sync: Ref<RepositorySyncMessage>
  /** Faults the first actor: all others begin anew. */
  readonly fault: () => void
}

/** How long git waits for a remote that says nothing. */
const silentMs = 1_500

const spec = {
  id: 'host',
  strategy: 'rest_for_one',
  restartsMax: 5,
  windowMs: 60_000,
  children: [
    { id: 'saboteur', restart: 'permanent', drainMs: 1_000 },
    { id: 'event-journal', restart: 'permanent', drainMs: 1_000 },
    { id: 'write-gate', restart: 'permanent', drainMs: 1_000 },
    { id: 'job-runner', restart: 'permanent', drainMs: 1_000 },
    { id: 'repository-sync', restart: 'permanent', drainMs: 1_000 },
  ],
} as const

/** Lets the notices of a host go, by the real rule, from an outbox that is a map. */
const simRelease = (world: World, { name, mode, repository }: SimHost, life: Life): ReleaseNotices => {
  const { checks, clock, objects, origin, trace, weather } = world
  const { owed } = repository
  return openReleaseNotices({
    store: {
      owing: () =>
        [...owed].flatMap(([intent, { commit, isOpen }]) => {
          const state = objects.isAncestor(commit, repository.head) ? ('done' as const) : ('lost' as const)
          return isOpen ? [] : [{ intent, commit, state, atMs: clock.nowMs() }]
        }),
      releaseNotices: intent => {
        const { commit, keys } = owed.get(intent) ?? { commit: repository.head, keys: [] }
        owed.delete(intent)
        if (mode === 'push') checks.enactments.released(name, keys, checks.branches.has(commit, origin.head))
        return { ended: [], queued: keys.length, left: 0 }
      },
      dropNotices: intent => {
        owed.delete(intent)
        return 0
      },
    },
    intents: { settle: ids => ids.length },
    payOwed: () => Promise.resolve(),
    tip: async () => {
      await weather.step(life, 'notices')
      const isHere = mode === 'none'
      return { commit: isHere ? repository.head : repository.fetched, isHere }
    },
    isTakenBack: () => Promise.resolve(false),
    isIn: (tip, { commit }) => {
      const isIn = objects.isAncestor(commit, tip)
      if (!isIn) trace.mark('a notice waited for the remote')
      return Promise.resolve(isIn)
    },
    whyNever: null,
    wake: () => undefined,
    meter: noMeter,
    log: { info: () => undefined, warn: () => undefined },
    nowMs: clock.nowMs,
  })
}

/** Starts the process of a host on what its disk holds. */
export const start = (world: World, host: SimHost): void => {
  const { clock, trace, objects } = world
  host.lives += 1
  const life: Life = { host: host.name, number: host.lives, isOver: false }
  const kernel = openKernel({
    clock,
    checkMessages: true,
    entropy: entropyFromSeed(world.seed * 1_000 + world.hosts.indexOf(host) * 100 + host.lives),
  })
  const first = kernel.place(saboteur)
  const recorder = kernel.place(eventJournal)
  const gate = kernel.place(writeGate)
  const runner = kernel.place(jobRunner)
  const sync = kernel.place(repositorySync(syncSetup(host.mode)))
  const journal = hostJournal(
    world,
    host,
    life,
    () => void tell(recorder.ref, { _tag: 'Wake', urgent: true }),
  )
  const { publish, feed } = journal
  const known = makeCell<SyncReport>()
  const mode = modeCell('ReadWrite')
  const isStale = staleness(world, known)
  const perform = performJob(world, host, () => running)
  const remote = simRemote({
    life,
    repository: host.repository,
    origin: world.origin,
    mode: host.mode,
    objects,
    weather: world.weather,
    link: linkOf(world.weather, host.name),
    mark: trace.mark,
    pushed: () => world.checks.sync.pushed(host.name, host.mode),
    moved: (from, to) =>
      world.checks.branches.moved('origin', from, to, [...host.repository.parked.values()]),
  })
  const push: GatePorts['push'] = async (commit, signal) => {
    const over = new AbortController()
    const cancel = clock.after(silentMs, () => over.abort())
    const pushed = await remote.push('main', commit, AbortSignal.any([signal, over.signal]))
    cancel()
    if (pushed._tag === 'Behind') trace.mark('an enactment lost its race')
    return pushed
  }
  const release = simRelease(world, host, life)
  const ports = simGatePorts({ world, host, life, publish, mode, isStale, push, release })
  const tree = kernel.run(
    spec,
    {
      saboteur: first.with(null),
      'event-journal': recorder.with(journal.ports),
      'write-gate': gate.with(ports),
      'job-runner': runner.with(jobPorts({ world, life, table: host.jobs, publish, perform })),
      'repository-sync': sync.with(
        simSyncPorts(world, host, life, {
          ...{ gate: gate.ref, known, link: linkOf(world.weather, host.name) },
          concluded: ({ action }) => void release(isConverged(action)),
        }),
      ),
    },
    () => world.crashed(life),
  )
  const previewed = {
    ...simPlanPorts(world),
    admit: ports.admit,
    checked: simChecked(world, host, life, ports),
    gate: gate.ref,
    snapshot: () => snapshotOf(objects.get(host.repository.head)),
  }
  const converge = convergeThrough(sync.ref, 'Sync is off.')
  const write = enactBy({
    write: writePort(previewed),
    publish: writePort(previewed, true),
    isEnactment: ({ row }) => host.mode === 'push' && (row === awardRow || row === closeRow),
    converge: async () => reachedIn(await converge()),
    hasCommit: commit => Promise.resolve(objects.isAncestor(commit, host.repository.head)),
  })
  const jobs = jobsThrough(runner.ref, host.jobs, () => world.trace.say(`${host.name} keeps no job`))
  const fault = (): void => void tell(first.ref, { _tag: 'Fault' })
  world.checks.branches.opens(host.name)
  const running: Running = {
    life,
    kernel,
    tree,
    write,
    publish,
    feed,
    jobs,
    gate: gate.ref,
    mode,
    sync: sync.ref,
    fault,
  }
  host.running = running
  trace.say(`${host.name}.${life.number} starts`)
}

import type { SyncReport } from '#actors/repository-sync/messages.js'
import { repositorySync } from '#actors/repository-sync/repository-sync.js'
import { takeoverActuator } from '#actors/takeover-actuator/takeover-actuator.js'
import type { GateRequest } from '#actors/write-gate/messages.js'
import type { ModeCell } from '#actors/write-gate/ports.js'
import { writeGate } from '#actors/write-gate/write-gate.js'
import type { SyncAction } from '#protocol/sync/action.js'
import { firstFleetState, otherTowns } from '#src/domain/fleet/fleet-state.js'
import type { FleetDeps } from '#src/http/handlers/fleet/fleet.js'
import type { TakeoverDeps } from '#src/http/handlers/fleet/takeover.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { entropyFromSeed } from '#src/kernel/entropy.js'
import { type Kernel, openKernel } from '#src/kernel/kernel.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import { fleetDeps } from '#src/node/fleet/fleet-deps.js'
import { fleetSight } from '#src/node/fleet/fleet-sight.js'
import { type FleetWatch, openFleetWatch } from '#src/node/fleet/fleet-watch.js'
import { followRole, modeStateOf } from '#src/node/fleet/follow-role.js'
import { sleepMeter } from '#src/node/fleet/host-clocks.js'
import { type NodePeers, nodePeers } from '#src/node/fleet/node-peers.js'
import { openCooldown } from '#src/node/fleet/takeover-cooldown.js'
import { type TakeoverDeskSetup, takeoverDesk } from '#src/node/fleet/takeover-desk.js'
import { takeoverWork } from '#src/node/fleet/takeover-parts.js'
import { tellFleet } from '#src/node/fleet/tell-fleet.js'
import { modeCell } from '#src/node/gate/mode-cell.js'
import { writePort } from '#src/node/gate/write-port.js'
import { convergeThrough } from '#src/node/sync/host-sync.js'
import { measureSyncAge, type SyncAge } from '#src/node/sync/sync-age.js'
import { makeCell } from '#src/snapshot/cell.js'
import type { WritePort } from '#src/writing/command.js'
import { fleet } from '#supervisors/fleet.js'
import { simChecked, simGatePorts, simPlanPorts } from '../host-gate.js'
import { simSyncPorts } from '../host-sync.js'
import { type SimRepository, snapshotOf } from '../sim-repository.js'
import type { Life } from '../weather.js'
import type { HostWorld } from '../world.js'
import { simClaimGit } from './claim-git.js'
import { startCounter } from './counter.js'
import type { FleetDisk } from './fleet-disk.js'
import type { FleetWorld } from './fleet-world.js'
import type { HostClock } from './host-clock.js'
import { linkThrough } from './links.js'
import { forgeThrough, probeThrough } from './network.js'
import { fleetMeter, traceLog } from './record-marks.js'

/** What of a host outlives its process, and the one that runs now. */
export interface FleetHost {
  readonly name: string
  readonly at: number
  readonly mode: 'push'
  readonly clock: HostClock
  /** The world on the clock of this host. */
  readonly world: HostWorld
  readonly repository: SimRepository
  readonly disk: FleetDisk
  lastAction: SyncAction | null
  /** An operator waits for an answer of the gate. */
  isSetting: boolean
  lives: number
  /** Faults that hold the host down; it starts when none does. */
  holds: number
  running: FleetRunning | null
}

/** A process of the fleet: the real actors and rules over simulated ports. */
export interface FleetRunning {
  readonly life: Life
  readonly kernel: Kernel
  readonly tree: ActorTree
  readonly write: WritePort
  readonly gate: Ref<GateRequest>
  readonly mode: ModeCell
  readonly watch: FleetWatch
  readonly peers: NodePeers
  readonly age: SyncAge
  readonly card: FleetDeps
  readonly desk: TakeoverDeps['takeovers']
}

const spec = {
  id: 'host',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
  children: [
    { id: 'authority', restart: 'permanent', drainMs: 1_000 },
    { id: 'peers', restart: 'permanent', drainMs: 1_000 },
    { id: 'fleet', restart: 'permanent', drainMs: 1_000 },
  ],
} as const

const authority = {
  id: 'authority',
  strategy: 'rest_for_one',
  restartsMax: 3,
  windowMs: 60_000,
  children: [
    { id: 'write-gate', restart: 'permanent', drainMs: 1_000 },
    { id: 'repository-sync', restart: 'permanent', drainMs: 1_000 },
  ],
} as const

const fleetSpec = {
  ...fleet,
  children: [
    {
      id: 'takeover-actuator',
      restart: 'permanent',
      drainMs: 2_000,
      restartsMax: 3,
      windowMs: 600_000,
      onGiveUp: 'abandon',
    },
  ],
} as const

const minuteMs = 60_000
/** No actor of these worlds is stuck but by a fault of the kernel, so the watchdog may be slow. */
const heartbeatMs = 30 * minuteMs

/** Starts the process of a host on what its disk holds. */
export const startFleetHost = (world: FleetWorld, host: FleetHost): void => {
  const { setup, trace, objects, history, origin, claims } = world
  const { name, clock, repository } = host
  const { weather } = host.world
  host.lives += 1
  const life: Life = { host: name, number: host.lives, isOver: false }
  const kernel = openKernel({
    clock,
    checkMessages: true,
    heartbeatMs,
    stuckMs: 2 * heartbeatMs,
    entropy: entropyFromSeed(world.seed * 10_000 + host.at * 1_000 + host.lives),
  })
  const config = {
    'fleet.watch_interval_min': setup.watchIntervalMs / minuteMs,
    'fleet.auto_failover.after_sweeps': setup.afterSweeps,
    'server.sync_max_age_min': setup.maxAgeMs / minuteMs,
  }
  const gate = kernel.place(writeGate)
  const sync = kernel.place(
    repositorySync({ publishMode: 'push', intervalMs: setup.syncIntervalMs, gcIntervalMs: 0 }),
  )
  const actuator = kernel.place(takeoverActuator(name))
  const meter = fleetMeter(trace)
  const log = traceLog(trace, name)
  const publish = (): void => undefined
  const report = makeCell<SyncReport>()
  const age = measureSyncAge({
    report,
    maxAgeMs: setup.maxAgeMs,
    monotonicMs: clock.monotonicMs,
    sleptMs: sleepMeter(clock.monotonicMs, clock.uptimeMs),
  })
  const store = host.disk.takeovers(weather, life)
  const obeyed = host.disk.obeyed(weather, life)
  const first = modeStateOf(firstFleetState(name, obeyed.find()))
  const mode = modeCell(first.mode, first.detail)
  const link = linkThrough(world.links, name)
  const ports = { clock, readClocks: clock.readClocks, probe: probeThrough(world, host) }
  const peers = nodePeers({
    host: ports,
    kernel,
    config,
    meter,
    log,
    records: { publish },
    sync: () => sync.ref,
  })
  const followMode = followRole(mode, true)
  const watch = openFleetWatch({
    town: name,
    branch: {
      tip: () =>
        Promise.resolve(
          repository.fetched === null
            ? { _tag: 'NotFetched', head: repository.head }
            : { _tag: 'Fetched', commit: repository.fetched },
        ),
    },
    read: commit => {
      world.checks.fleet.roles.reads(host, life, commit)
      return history.read(commit)
    },
    fetches: true,
    store: obeyed,
    follow: (state, isRoleChange) => {
      followMode(state, isRoleChange)
      peers.watchTowns(otherTowns(state))
      world.checks.fleet.roles.follows(host, life, state)
    },
    meter,
    publish,
    log,
  })
  let okAtMs: number | null = null
  report.watch(() => {
    const known = report.get()
    if (known === null || known.lastOk === null) return
    if (known.lastOk.monotonicMs !== okAtMs) world.checks.fleet.roles.converged(host, life)
    okAtMs = known.lastOk.monotonicMs
    watch.onConverged()
  })
  const sight = fleetSight({ host: ports, config, sync: age, fleet: watch, peers })
  const call = forgeThrough(world, host)
  const fetched = (): void => world.checks.fleet.takeovers.fetched(host)
  const git = simClaimGit({ life, weather, link, objects, history, origin, claims, fetched })
  const cooldown = openCooldown({
    readFlip: git.readFlip,
    onUnread: error => log.warn('takeover_origin_unread', { error }),
    forge: call,
    cooldownHours: setup.cooldownHours,
    nowMs: clock.nowMs,
    monotonicMs: clock.monotonicMs,
  })
  const takeovers = { sight, forge: { _tag: 'Forge', call }, git, cooldown } as const
  const deskSetup: TakeoverDeskSetup = {
    ...takeovers,
    self: name,
    config,
    store,
    meter,
    audit: () => undefined,
    publish,
    wake: message => void tell(actuator.ref, message),
    convergeSoon: () => void tell(sync.ref, { _tag: 'Announced' }),
    isSyncEnabled: () => true,
    nowMs: clock.nowMs,
    monotonicMs: clock.monotonicMs,
    newId: world.entropy.id,
  }
  const gatePorts = simGatePorts({ world: host.world, host, life, publish, mode, isStale: age.isStale })
  const work = takeoverWork({
    takeovers,
    store: world.checks.fleet.takeovers.watch(host, life, store),
    converge: convergeThrough(sync.ref, ''),
    publish,
    log,
    nowMs: clock.nowMs,
  })
  const tree = kernel.run(
    spec,
    {
      authority: kernel.group(authority, {
        'write-gate': gate.with(gatePorts),
        'repository-sync': sync.with(
          simSyncPorts(host.world, host, life, {
            gate: gate.ref,
            known: report,
            link,
            follow: remote => tellFleet(remote, watch),
          }),
        ),
      }),
      peers: peers.child,
      fleet: kernel.group(fleetSpec, { 'takeover-actuator': actuator.with(work) }),
    },
    () => world.crashed(life),
  )
  const write = writePort({
    ...simPlanPorts(host.world),
    admit: gatePorts.admit,
    checked: simChecked(host.world, host, life, gatePorts),
    gate: gate.ref,
    snapshot: () => snapshotOf(objects.get(repository.head)),
  })
  const bootMs = clock.nowMs()
  const card: FleetDeps = {
    ...fleetDeps({ config, fleet: watch, sync: age }),
    version: '0',
    bootMs,
    bootId: `${name}.${life.number}`,
    imageDigest: '',
  }
  host.running = {
    life,
    kernel,
    tree,
    write,
    gate: gate.ref,
    mode,
    watch,
    peers,
    age,
    card,
    desk: takeoverDesk(deskSetup),
  }
  trace.say(`${name}.${life.number} starts`)
  world.touched(host)
  void watch.readTip()
  startCounter(world, host, host.running)
}

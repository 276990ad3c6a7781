import { failover } from '#actors/failover/failover.js'
import { repositorySync } from '#actors/repository-sync/repository-sync.js'
import { takeoverActuator } from '#actors/takeover-actuator/takeover-actuator.js'
import { writeGate } from '#actors/write-gate/write-gate.js'
import type { FleetDeps } from '#src/http/handlers/fleet/fleet.js'
import type { TakeoverDeps } from '#src/http/handlers/fleet/takeover.js'
import { tell } from '#src/kernel/actor/ref.js'
import { entropyFromSeed } from '#src/kernel/entropy.js'
import { type Kernel, openKernel } from '#src/kernel/kernel.js'
import { failoverWork } from '#src/node/fleet/failover-parts.js'
import { fleetDeps } from '#src/node/fleet/fleet-deps.js'
import { tellFleet } from '#src/node/fleet/role/tell-fleet.js'
import { takeoverDesk } from '#src/node/fleet/takeover-desk.js'
import { takeoverWork } from '#src/node/fleet/takeover-parts.js'
import { writePort } from '#src/node/gate/write-port.js'
import { convergeThrough } from '#src/node/sync/host-sync.js'
import type { TakeoverStore } from '#src/ports/records/takeovers.js'
import { simChecked, simGatePorts, simPlanPorts } from '../host-gate.js'
import { simSyncPorts } from '../host-sync.js'
import { snapshotOf } from '../sim-repository.js'
import type { Life } from '../weather.js'
import { startCounter } from './counter.js'
import type { FleetMember } from './fleet-host.js'
import { authoritySpec, fleetSpec, hostSpec } from './fleet-tree.js'
import type { SimFleet } from './fleet-world.js'
import { type HostFleet, noPublish, openHostFleet } from './host-fleet.js'
import { fleetMeter } from './record-marks.js'

const minuteMs = 60_000
/** No actor of these worlds is stuck but by a fault of the kernel, so the watchdog may be slow. */
const heartbeatMs = 30 * minuteMs

const placeActors = (world: SimFleet, kernel: Kernel, town: string) => ({
  gate: kernel.place(writeGate),
  sync: kernel.place(
    repositorySync({ publishMode: 'push', intervalMs: world.setup.syncIntervalMs, gcIntervalMs: 0 }),
  ),
  actuator: kernel.place(takeoverActuator(town)),
  failover: kernel.place(failover),
})
type Places = ReturnType<typeof placeActors>

/** The real desk of takeovers, which persons and the failover ask. */
const openDesk = (
  world: SimFleet,
  { name, clock }: FleetMember,
  { takeovers, config }: HostFleet,
  { actuator, sync }: Places,
  store: TakeoverStore,
): TakeoverDeps['takeovers'] =>
  takeoverDesk({
    ...takeovers,
    self: name,
    config,
    store,
    meter: fleetMeter(world.trace, name),
    audit: () => undefined,
    publish: noPublish,
    wake: message => void tell(actuator.ref, message),
    convergeSoon: () => void tell(sync.ref, { _tag: 'Announced' }),
    isSyncEnabled: () => true,
    nowMs: clock.nowMs,
    monotonicMs: clock.monotonicMs,
    newId: world.entropy.id,
  })

const cardOf = (
  { name, clock }: FleetMember,
  { number }: Life,
  { config, watch, age }: HostFleet,
): FleetDeps => ({
  ...fleetDeps({ config, fleet: watch, sync: age }),
  version: '0',
  bootMs: clock.nowMs(),
  bootId: `${name}.${number}`,
  imageDigest: '',
})

/** Starts the process of a host on what its disk holds. */
export const startFleetHost = (world: SimFleet, host: FleetMember): void => {
  const { trace, objects } = world
  const { name, clock, repository } = host
  const { weather } = host.world
  host.lives += 1
  const life: Life = { host: name, number: host.lives, isOver: false }
  const entropy = entropyFromSeed(world.seed * 10_000 + host.at * 1_000 + host.lives)
  const kernel = openKernel({ clock, checkMessages: true, heartbeatMs, stuckMs: 2 * heartbeatMs, entropy })
  const places = placeActors(world, kernel, name)
  const { gate, sync, actuator } = places
  const parts = openHostFleet({
    world,
    host,
    life,
    kernel,
    signals: {
      sync: () => sync.ref,
      missed: town => {
        if (parts.watch.state().topology?.apex === town) tell(places.failover.ref, { _tag: 'Swept' })
      },
      versionChanged: () => void tell(actuator.ref, { _tag: 'Wake' }),
      modeChanged: () => void tell(gate.ref, { _tag: 'SettleRole' }),
    },
  })
  const { age, mode, link, peers, watch, takeovers, log, config, report, roleMode } = parts
  const store = host.disk.takeovers(weather, life)
  const desk = openDesk(world, host, parts, places, store)
  const gatePorts = {
    ...simGatePorts({ world: host.world, host, life, publish: noPublish, mode, isStale: age.isStale }),
    settleRole: roleMode.settle,
  }
  const follow = (remote: Parameters<typeof tellFleet>[0]) => tellFleet(remote, watch)
  const watched = world.checks.fleet.takeovers.watch(host, life, store)
  const converge = convergeThrough(sync.ref, '')
  const onEnded = (): void => undefined
  const meter = fleetMeter(world.trace, name)
  const { nowMs } = clock
  const work = { takeovers, store: watched, converge, publish: noPublish, log, meter, onEnded, nowMs }
  const asks = world.checks.fleet.takeovers.asks(host, desk.request)
  const tree = kernel.run(
    hostSpec,
    {
      authority: kernel.group(authoritySpec, {
        'write-gate': gate.with(gatePorts),
        'repository-sync': sync.with(
          simSyncPorts(host.world, host, life, { gate: gate.ref, known: report, link, follow }),
        ),
      }),
      peers: peers.child,
      fleet: kernel.group(fleetSpec, {
        'takeover-actuator': actuator.with(takeoverWork(work)),
        failover: places.failover.with(
          failoverWork({ self: name, takeovers, store, config, request: asks, log }),
        ),
      }),
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
  const card = cardOf(host, life, parts)
  host.running = { life, kernel, tree, write, gate: gate.ref, mode, watch, peers, age, card, desk }
  trace.say(`${name}.${life.number} starts`)
  world.touched(host)
  void watch.readTip()
  startCounter(world, host, host.running)
}

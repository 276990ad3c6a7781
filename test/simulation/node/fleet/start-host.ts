import { failover } from '#actors/fleet/failover.js'
import { takeoverActuator } from '#actors/fleet/takeover-actuator.js'
import { repositorySync } from '#actors/repository-sync/repository-sync.js'
import type { EndedConverge } from '#actors/repository-sync/state.js'
import { writeGate } from '#actors/write-gate/write-gate.js'
import { tell } from '#src/kernel/actor/ref.js'
import { type Kernel, openKernel } from '#src/kernel/kernel.js'
import { peerNotifier } from '#src/node/fleet/fleet.js'
import { tellFleet } from '#src/node/fleet/role.js'
import { failoverWork, takeoverWork } from '#src/node/fleet/takeover-work.js'
import { writePort } from '#src/node/gate/preview.js'
import { convergeThrough } from '#src/node/sync/sync.js'
import type { Remote } from '#src/ports/git.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { simChecked, simGatePorts, simPlanPorts } from '../host-gate.js'
import { simSyncPorts } from '../host-sync.js'
import { snapshotOf } from '../sim-repository.js'
import type { Life } from '../weather.js'
import { checkTurns } from './checks/check-turns.js'
import { startCounter } from './counter.js'
import type { FleetMember } from './fleet-host.js'
import { authoritySpec, fleetSpec, hostSpec } from './fleet-tree.js'
import type { SimFleet } from './fleet-world.js'
import { openDesk, openRows } from './host-desk.js'
import { type HostFleet, noPublish, openHostFleet } from './host-fleet.js'
import { fleetMeter } from './record-marks.js'

const minuteMs = 60_000
/** No actor of these worlds is stuck but by a fault of the kernel, so the watchdog may be slow. */
const heartbeatMs = 30 * minuteMs

const placeActors = (world: SimFleet, kernel: Kernel, town: string) => ({
  gate: kernel.place(writeGate),
  sync: kernel.place(
    repositorySync({ publishMode: 'push', intervalMs: world.setup.syncIntervalMs, convergeMsMax: 2_000 }),
  ),
  actuator: kernel.place(takeoverActuator(town)),
  failover: kernel.place(failover),
})
/** The remote, each of whose longer works waits for the one before it. */
const workInTurn = (remote: Remote, inTurn: ReturnType<typeof checkTurns>, fetches: () => void): Remote => ({
  ...remote,
  fetch: signal => {
    fetches()
    return inTurn('a fetch', () => remote.fetch(signal))
  },
  integrate: (...given) => inTurn('a merge', () => remote.integrate(...given)),
  push: (...given) => inTurn('a push', () => remote.push(...given)),
})

/** Reports each new card of a town that says it leads where the file of this host names another one. */
const followCards = ({ peers, watch }: HostFleet, namesOther: () => void): void => {
  const seen = new WeakSet<object>()
  peers.table.watch(() => {
    for (const { town, card } of peers.table.records().values()) {
      if (card === null || seen.has(card)) continue
      seen.add(card)
      const { topology } = watch.state()
      const leads = card.role === 'primary' || card.role === 'stepping-down'
      if (leads && topology !== null && topology.apex !== town) namesOther()
    }
  })
}

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
  const notifier = peerNotifier(() => ({
    refs: { sync: sync.ref, failover: places.failover.ref },
    state: parts.watch.state(),
  }))
  const parts: HostFleet = openHostFleet({
    world,
    host,
    life,
    kernel,
    notifier: {
      ...notifier,
      missed: (town, isAllDark) => {
        if (isAllDark) asksReach()
        notifier.missed(town, isAllDark)
      },
      derivedChanged: () => undefined,
      versionChanged: () => void tell(actuator.ref, { _tag: 'Wake' }),
      modeChanged: () => void tell(gate.ref, { _tag: 'SettleRole' }),
    },
  })
  const { age, mode, link, peers, watch, takeovers, log, config, report, roleMode } = parts
  const store = host.disk.takeovers(weather, life)
  const deskParts = { world, host, life, fleet: parts, store, actuator: actuator.ref, sync: sync.ref }
  const { desk, announcedConverge, asksReach, cardNamesOther, fetches } = openDesk(deskParts)
  followCards(parts, cardNamesOther)
  const gatePorts = {
    ...simGatePorts({ world: host.world, host, life, publish: noPublish, mode, isStale: age.isStale }),
    settleRole: roleMode.settle,
  }
  const inTurn = checkTurns(trace, `the sync of ${name}`)
  const follow = (remote: Remote): Remote =>
    tellFleet(age.timeRemote(workInTurn(remote, inTurn, fetches)), watch, peers.table.noteReach)
  const concluded = ({ run: { trigger } }: Pick<EndedConverge, 'run'>): void => {
    if (trigger === 'announce') announcedConverge()
  }
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
          simSyncPorts(host.world, host, life, { gate: gate.ref, known: report, link, follow, concluded }),
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
  const card = openRows(deskParts, desk)
  host.running = { life, kernel, tree, write, gate: gate.ref, mode, watch, peers, age, card, desk }
  trace.say(`${name}.${life.number} starts`)
  world.touched(host)
  void watch.readTip()
  startCounter(world, host, host.running)
}

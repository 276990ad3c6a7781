import type { SyncReport } from '#actors/repository-sync/state.js'
import type { ModeCell } from '#actors/write-gate/mode.js'
import { firstFleetState, otherTowns } from '#src/domain/fleet/fleet-state.js'
import type { Kernel } from '#src/kernel/kernel.js'
import type { FleetNotifier } from '#src/node/fleet/fleet.js'
import { sleepMeter } from '#src/node/fleet/host-clocks.js'
import { nodePeers } from '#src/node/fleet/peers.js'
import { type FleetWatch, followRole, modeCell, modeStateOf, openFleetWatch } from '#src/node/fleet/role.js'
import { type NodeTakeovers, openCooldown, openTakeoverErrors } from '#src/node/fleet/takeovers.js'
import { knownTowns } from '#src/node/fleet/view.js'
import { measureSyncAge } from '#src/node/sync/sync.js'
import type { TakeoverGit } from '#src/ports/git.js'
import { makeCell } from '#src/snapshot/cell.js'
import type { Life } from '../weather.js'
import { checkTurns } from './checks/check-turns.js'
import type { FleetMember } from './fleet-host.js'
import type { SimFleet } from './fleet-world.js'
import { simClaimGit } from './model/claim-git.js'
import { forgeClient } from './model/forge-client.js'
import { linkThrough } from './model/links.js'
import { probeThrough } from './model/network.js'
import { fleetMeter, traceLog } from './record-marks.js'

const minuteMs = 60_000

/** The configuration of the hosts of a world. */
export const fleetConfig = ({ setup }: SimFleet) => ({
  'fleet.watch_interval_min': setup.watchIntervalMs / minuteMs,
  'fleet.auto_failover.enabled': setup.isAutomatic,
  'fleet.auto_failover.after_sweeps': setup.afterSweeps,
  'server.sync_max_age_min': setup.maxAgeMs / minuteMs,
  'server.sync_branch': '',
})

export const noPublish = (): void => undefined

/** A process as it is placed: its kernel, and the ways to its actors. */
export interface PlacedProcess {
  readonly world: SimFleet
  readonly host: FleetMember
  readonly life: Life
  readonly kernel: Kernel
  readonly notifier: FleetNotifier
}

/** The real fleet state of a host over the history of the world, with the mode that follows its role. */
const openRole = (
  { world, host, life, notifier }: PlacedProcess,
  mode: ModeCell,
  watchTowns: (towns: ReturnType<typeof otherTowns>) => void,
) => {
  const { repository, name } = host
  const { roles } = world.checks.fleet
  const roleMode = followRole(mode, true, notifier.modeChanged)
  let version: string | null = null
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
      roles.reads(host, life, commit)
      return world.history.read(commit)
    },
    fetches: true,
    store: host.disk.obeyed(host.world.weather, life),
    follow: (state, isRoleChange) => {
      roleMode.follow(state, isRoleChange)
      watchTowns(otherTowns(state))
      const commit = state.fence?.commit ?? null
      if (commit !== version) notifier.versionChanged()
      version = commit
      roles.follows(host, life, state)
    },
    meter: fleetMeter(world.trace, name),
    publish: noPublish,
    log: traceLog(world.trace, name),
  })
  return { watch, roleMode }
}

/** Tells the fleet state of each full converge. */
const followConverges = (
  { world, host, life }: PlacedProcess,
  report: ReturnType<typeof makeCell<SyncReport>>,
  watch: FleetWatch,
): void => {
  let okAtMs: number | null = null
  report.watch(() => {
    const known = report.get()
    if (known === null || known.lastOk === null) return
    if (known.lastOk.monotonicMs !== okAtMs) world.checks.fleet.roles.converged(host, life)
    okAtMs = known.lastOk.monotonicMs
    watch.onConverged()
  })
}

/** The real parts of a host in its fleet, over the network, the git and the clocks of the world. */
export const openHostFleet = (placed: PlacedProcess) => {
  const { world, host, life, kernel, notifier } = placed
  const { setup, trace, objects, history, origin, claims } = world
  const { name, clock } = host
  const config = fleetConfig(world)
  const log = traceLog(trace, name)
  const report = makeCell<SyncReport>()
  const age = measureSyncAge({
    report,
    maxAgeMs: setup.maxAgeMs,
    monotonicMs: clock.monotonicMs,
    sleptMs: sleepMeter(() => clock.readClocks(0), clock),
  })
  const first = modeStateOf(firstFleetState(name, host.disk.lookObeyed()))
  const mode = modeCell(first.mode, first.detail)
  const link = linkThrough(world.links, name)
  const ports = { clock, readClocks: clock.readClocks, probe: probeThrough(world, host) }
  const records = { publish: noPublish }
  const peers = nodePeers({
    host: ports,
    kernel,
    config,
    meter: fleetMeter(trace, name),
    log,
    records,
    ...notifier,
  })
  const { watch, roleMode } = openRole(placed, mode, peers.watchTowns)
  followConverges(placed, report, watch)
  const towns = knownTowns({ host: ports, config, sync: age, fleet: watch, peers })
  const call = forgeClient(world, host)
  const fetched = (): void => world.checks.fleet.takeovers.fetched(host)
  const { weather } = host.world
  const { began } = world.links
  const git = simClaimGit({ life, weather, link, objects, history, origin, claims, began, fetched })
  const inTurn = checkTurns(trace, `the actuator of ${name}`)
  const gitInTurn: TakeoverGit = {
    ...git,
    fetch: (...given) => inTurn('a fetch', () => git.fetch(...given)),
    push: (...given) => inTurn('a push', () => git.push(...given)),
  }
  const cooldown = openCooldown({
    readFlip: git.readFlip,
    onUnread: error => log.warn('takeover_origin_unread', { error }),
    forge: call,
    cooldownHours: setup.cooldownHours,
    nowMs: clock.nowMs,
    monotonicMs: clock.monotonicMs,
  })
  const errors = openTakeoverErrors()
  const takeovers: NodeTakeovers = { towns, forge: { _tag: 'Forge', call }, git: gitInTurn, cooldown, errors }
  return { config, report, age, mode, link, peers, watch, roleMode, takeovers, log }
}

export type HostFleet = ReturnType<typeof openHostFleet>

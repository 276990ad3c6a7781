import { isLeft } from 'fp-ts/lib/Either.js'
import { type PeerWatcherPorts, peerWatcher } from '#actors/peer-watcher.js'
import type { RepositorySyncMessage } from '#actors/repository-sync/state.js'
import type { Config } from '#protocol/config.js'
import { countsAfterMs, lateMs, type PeerCard } from '#src/domain/fleet/peers.js'
import type { Town } from '#src/domain/fleet/topology.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import type { Child } from '#src/kernel/child.js'
import type { Kernel } from '#src/kernel/kernel.js'
import type { Meter } from '#src/ports/records.js'
import { peers } from '#supervisors/peers.js'
import type { Log } from '../records/log.js'
import type { Records } from '../records/records.js'
import { convergeThrough } from '../sync/host-sync.js'
import { afterPause } from './after-pause.js'
import type { HostPorts } from './host-ports.js'
import { makePeerTable, type PeerTable } from './peer-table.js'
import { probeTown } from './probe-town.js'
import { recordProbes, removeTown } from './record-probes.js'

const minuteMs = 60_000

/** The watchers of the other towns, and what they know. */
export interface NodePeers {
  readonly table: Pick<PeerTable, 'records' | 'views' | 'healthScore' | 'watch' | 'noteReach' | 'isIsolated'>
  /** The effective time between two probes of a town. */
  readonly intervalMs: number
  /** Watches exactly these towns from now on; this host's own is not among them. */
  readonly watchTowns: (towns: ReadonlyMap<string, Town>) => void
  /** The group of the watchers, for the tree. */
  readonly child: Child
}

export interface PeersSetup {
  readonly host: HostPorts
  readonly kernel: Pick<Kernel, 'list' | 'place'>
  readonly config: Pick<Config, 'fleet.watch_interval_min'>
  readonly meter: Meter
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly records: Pick<Records, 'publish'>
  readonly sync: () => Ref<RepositorySyncMessage>
  /** Called after a probe that changed the misses of a town that does not answer. */
  readonly missed: (town: string, isAllDark: boolean) => void
  /** Called with each card that was read. */
  readonly cardRead: (card: PeerCard) => void
}

const convergeOnce = async ({ log, sync }: PeersSetup): Promise<void> => {
  const ended = await convergeThrough(sync(), '')()
  if (isLeft(ended)) log.info('pause_without_converge', { reason: ended.left._tag })
}

const watcherPorts = (
  setup: PeersSetup,
  table: PeerTable,
  urlOf: (town: string) => string | null,
  intervalMs: number,
): Omit<PeerWatcherPorts, 'tell'> => ({
  clocks: () => setup.host.readClocks(table.pauses()),
  began: table.restart,
  probe: (town, onLate, signal) =>
    probeTown(
      setup.host,
      { town, url: urlOf(town) },
      { timeoutMs: countsAfterMs(intervalMs), lateMs, onLate },
      signal,
    ),
  paused: afterPause({ ...setup, clock: setup.host.clock, table, converge: () => convergeOnce(setup) }),
  observed: recordProbes({ ...setup, publish: setup.records.publish, table }),
})

/** Makes the group of the watchers, with no town yet. Starts nothing. */
export const nodePeers = (setup: PeersSetup): NodePeers => {
  const { kernel, config, meter, log } = setup
  const intervalMs = config['fleet.watch_interval_min'] * minuteMs
  const table = makePeerTable(setup.host.clock.monotonicMs, intervalMs, isIsolated => {
    if (isIsolated)
      log.warn('fleet_isolated', { mend: 'check the network of this host: kronika fleet status' })
    else log.info('fleet_isolation_ended')
  })
  let towns: ReadonlyMap<string, Town> = new Map()
  const ports = watcherPorts(setup, table, town => towns.get(town)?.url ?? null, intervalMs)
  const forgetTown = (town: string): void => {
    table.forget(town)
    removeTown(meter, town)
  }
  const list = kernel.list({
    policy: peers,
    childPolicy: {
      restart: 'permanent',
      drainMs: 500,
      restartsMax: 5,
      windowMs: 60_000,
      onGiveUp: 'abandon',
    },
    make: town => {
      const place = kernel.place(peerWatcher({ town, intervalMs }))
      const url = towns.get(town)?.url
      return place.with({
        ...ports,
        // A probe may end after its town has left the topology, or has moved.
        observed: observation => {
          if (towns.get(town)?.url === url) ports.observed(observation)
        },
        tell: message => tell(place.ref, message),
      })
    },
    onAbandoned: town => {
      forgetTown(town)
      log.error('peer_watch_abandoned', { peer: town })
    },
  })
  return {
    table,
    intervalMs,
    watchTowns: next => {
      const isKept = ([name, { url }]: readonly [string, Town]): boolean => towns.get(name)?.url === url
      const kept = new Map([...next].filter(isKept))
      const left = [...towns.keys()].filter(town => !kept.has(town))
      towns = next
      for (const town of left) forgetTown(town)
      // A town with another address gets a new watcher.
      list.follow([...kept.keys()])
      list.follow([...next.keys()])
    },
    child: list.child,
  }
}

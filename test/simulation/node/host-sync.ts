import type { HoldGate } from '#actors/repository-sync/join-remote.js'
import type { SyncPorts } from '#actors/repository-sync/repository-sync.js'
import {
  type EndedConverge,
  isStale,
  type SyncOptions,
  type SyncReport,
} from '#actors/repository-sync/state.js'
import type { GateRequest } from '#actors/write-gate/messages.js'
import type { PublishMode } from '#protocol/host/discovery.js'
import type { Ref } from '#src/kernel/actor/ref.js'
import { makeAdvanceBranch, makeHoldGate } from '#src/node/sync/repository-sync.js'
import type { Remote } from '#src/ports/git.js'
import type { Cell } from '#src/snapshot/cell.js'
import type { SimHost } from './host.js'
import { type RemoteLink, simRemote } from './sim-remote.js'
import type { Life } from './weather.js'
import type { HostWorld } from './world.js'

export const syncSetup = (publishMode: PublishMode): SyncOptions => ({
  publishMode,
  intervalMs: 4_000,
  convergeMsMax: 2_000,
})

/** Short, so that a link that is cut for a while closes the gate. */
const maxAgeMs = 6_000

/** Whether the last converge is too old to write on, as the gate's arm asks. */
export const staleness = ({ clock }: Pick<HostWorld, 'clock'>, known: Cell<SyncReport>): (() => boolean) => {
  const bootMs = clock.monotonicMs()
  return () => isStale(known.get(), { bootMs, nowMs: clock.monotonicMs(), maxAgeMs })
}

/** The gate is held as the daemon holds it; no write may land meanwhile. */
const watchHold =
  ({ checks, trace }: HostWorld, host: Pick<SimHost, 'name'>, hold: HoldGate): HoldGate =>
  (work, limitMs) =>
    hold(async (advance, signal) => {
      trace.mark('a converge held the gate')
      const release = checks.branches.holds(host.name, signal)
      try {
        return await work(advance, signal)
      } finally {
        release()
      }
    }, limitMs)

/** What a converge of a host reads and moves. */
export type SyncedHost = Pick<SimHost, 'name' | 'mode' | 'repository' | 'lastAction'>

export interface SyncWiring {
  readonly gate: Ref<GateRequest>
  readonly known: Cell<SyncReport>
  readonly link: RemoteLink
  /** What follows the fetches and pushes of the remote. */
  readonly follow?: (remote: Remote) => Remote
  /** A converge has ended. */
  readonly concluded?: (ended: Pick<EndedConverge, 'run' | 'action'>) => void
}

export const simSyncPorts = (
  world: HostWorld,
  host: SyncedHost,
  life: Life,
  { gate, known, link, follow = remote => remote, concluded = () => undefined }: SyncWiring,
): SyncPorts => {
  const { origin, objects, weather, clock, checks } = world
  const { repository, mode } = host
  const remote = follow(
    simRemote({
      life,
      repository,
      origin,
      mode,
      objects,
      weather,
      link,
      mark: world.trace.mark,
      pushed: () => checks.sync.pushed(host.name, mode),
      moved: (from, to) => checks.branches.moved('origin', from, to, [...repository.parked.values()]),
    }),
  )
  return {
    remote,
    advance: makeAdvanceBranch(gate),
    hold: watchHold(world, host, makeHoldGate(gate, clock)),
    nowMs: clock.nowMs,
    after: clock.after,
    accepted: () => undefined,
    requests: { missing: 'This host has no forge.' },
    timed: (_step, work) => work(),
    report: report => {
      known.set(report)
      const { head, fetched, parked } = repository
      if (!life.isOver)
        checks.sync.reported(host.name, mode, report, { head, fetched, origin: origin.head, parked })
      host.lastAction = report.lastAction
    },
    ticked: () => undefined,
    concluded: ended => {
      concluded(ended)
      return weather.step(life, 'conclude')
    },
  }
}

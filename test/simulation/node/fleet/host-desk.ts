import type { TakeoverActuatorMessage } from '#actors/fleet/takeover-actuator.js'
import type { RepositorySyncMessage } from '#actors/repository-sync/state.js'
import type { PeerFacts } from '#src/http/handlers/fleet.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { fleetDuty } from '#src/node/fleet/fleet.js'
import { openTakeovers, peersOf, takeoverFactsOf } from '#src/node/fleet/takeovers.js'
import type { FleetDuty } from '#src/ports/fleet.js'
import type { TakeoverStore } from '#src/ports/records.js'
import type { Life } from '../weather.js'
import { checkDesk, type DeskCheck } from './checks/check-desk.js'
import type { FleetMember } from './fleet-host.js'
import type { SimFleet } from './fleet-world.js'
import { type HostFleet, noPublish } from './host-fleet.js'
import { lookAt } from './host-looks.js'
import { fleetMeter } from './record-marks.js'

export interface DeskParts {
  readonly world: SimFleet
  readonly host: FleetMember
  readonly life: Life
  readonly fleet: HostFleet
  readonly store: TakeoverStore
  readonly actuator: Ref<TakeoverActuatorMessage>
  readonly sync: Ref<RepositorySyncMessage>
}

/** The real desk of takeovers, which persons and the failover ask, with its answers checked. */
export const openDesk = ({ world, host, life, fleet, store, actuator, sync }: DeskParts): DeskCheck => {
  const { name, clock } = host
  const { takeovers, config, mode, age } = fleet
  const setup = { ...takeovers, self: name, config }
  const desk = openTakeovers({
    ...setup,
    monitor: () => ({ document: null, stale: true }),
    store,
    meter: fleetMeter(world.trace, name),
    audit: () => undefined,
    publish: noPublish,
    wake: message => void tell(actuator, message),
    convergeSoon: () => void tell(sync, { _tag: 'Announced' }),
    isSyncEnabled: () => true,
    nowMs: clock.nowMs,
    monotonicMs: clock.monotonicMs,
    newId: world.entropy.id,
  })
  const sight = {
    facts: () => takeoverFactsOf(setup),
    isGateClosed: () => mode.get().mode === 'ReadOnly' || age.isStale(),
    state: () => JSON.stringify(lookAt(world, host)),
    nowMs: clock.monotonicMs,
    ranMs: clock.ranMs,
    isOver: () => life.isOver,
  }
  return checkDesk(world.trace, name, sight, desk)
}

/** What the rows of the fleet read of a process. */
export const openRows = (
  { host: { name, clock }, life: { number }, fleet, store }: DeskParts,
  takeovers: PeerFacts['takeovers'],
): FleetDuty & PeerFacts => ({
  ...fleetDuty({ snapshot: () => null, config: fleet.config, fleet: fleet.watch, sync: fleet.age }),
  version: '0',
  bootMs: clock.nowMs(),
  bootId: `${name}.${number}`,
  imageDigest: '',
  takeovers,
  peers: peersOf({ ...fleet, checkout: { runtime: { takeovers: store } }, options: { town: name } }),
})

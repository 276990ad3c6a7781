import { deliveryStatuses } from '#protocol/chat/delivery.js'
import { dispatchKinds } from '#protocol/chat/dispatch.js'
import type { FleetMonitor } from '#protocol/fleet/monitor.js'
import { jobKinds } from '#protocol/jobs.js'
import { type SupervisorReading, supervisorStates } from '#protocol/kernel.js'
import { type CheckedInvariant, type GateArm, gateArms } from '#protocol/metrics.js'
import { challengesMax } from '#protocol/sign-in.js'
import { watchLoopLag } from '#src/adapters/metrics/process-meter.js'
import { walBytes } from '#src/adapters/runtime/runtime-db.js'
import type { GateState } from '#src/domain/admin/gate-arms.js'
import type { Kernel } from '#src/kernel/kernel.js'
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
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { FleetSight } from '../fleet/fleet-sight.js'
import type { CooldownCache } from '../fleet/takeover-cooldown.js'

/** Sets one gauge for each kind and state, so that the gauge returns to 0 after the last job of a kind. */
const collectJobs = (jobs: JobStore, meter: Meter): void => {
  const counts = new Map(jobs.counts().map(({ kind, state, count }) => [`${kind} ${state}`, count]))
  for (const kind of jobKinds)
    for (const status of jobStates)
      meter.gauge('svc_jobs', { kind, status }, counts.get(`${kind} ${status}`) ?? 0)
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

const collectGate = (state: GateState, meter: Meter): void => {
  const isOpen: Readonly<Record<GateArm, boolean>> = {
    snapshot_stale: typeof state.staleReason !== 'string' && state.repositoryGone !== true,
    state_gone: state.stateGone !== true,
    schema_new: state.format !== 'SchemaTooNew',
    schema_old: state.format !== 'SchemaTooOld',
    sync_stale: !state.syncStale,
    read_only: state.mode !== 'ReadOnly',
  }
  for (const arm of gateArms) meter.gauge('svc_write_gate_open', { arm }, isOpen[arm] ? 1 : 0)
}

interface CooldownSources {
  readonly sight: Pick<FleetSight, 'fence'>
  readonly cooldown: Pick<CooldownCache, 'current'>
}

interface FleetReadings {
  readonly takeovers: CooldownSources
  readonly monitor: { readonly view: () => Pick<FleetMonitor, 'vantageSplit'> }
}

/** Sets the gauges of takeovers: one for each state, and the end of the cooldown in seconds of the forge's clock. */
export const collectTakeovers = (
  store: Pick<TakeoverStore, 'counts'>,
  { sight, cooldown }: CooldownSources,
  meter: Meter,
): void => {
  const counts = new Map(store.counts().map(({ state, count }) => [state, count]))
  for (const status of takeoverStates)
    meter.gauge('svc_fleet_takeover_jobs', { status }, counts.get(status) ?? 0)
  const endsAtMs = cooldown.current(sight.fence())?.endsAtMs ?? 0
  meter.gauge('svc_fleet_takeover_cooldown_end_timestamp_seconds', {}, endsAtMs / 1_000)
}

/** Sets the gauges of the outbox: one for each status, and the age of the message that waits longest. */
export const collectOutbox = (
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

interface CheckedStores {
  readonly dispatches: Pick<DispatchStore, 'waiting' | 'countUnended'>
  readonly challenges: Pick<Challenges, 'count'>
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

interface CollectedStores {
  readonly intents: Pick<Intents, 'prepared'>
  readonly jobs: JobStore
  readonly challenges: Challenges
  readonly rosterFetches: RosterFetches
  readonly takeovers: Pick<TakeoverStore, 'counts'>
  readonly dispatches: DispatchReadings & Pick<DispatchStore, 'waiting' | 'countUnended'>
  readonly deliveries: Pick<DeliveryStore, 'counts' | 'oldestMs'>
}

/** Updates the gauges before they are read. */
export const collectGauges =
  (
    kernel: Kernel,
    gate: () => GateState,
    snapshot: () => Snapshot | null,
    stores: CollectedStores,
    state: string,
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

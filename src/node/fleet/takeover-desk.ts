import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { TakeoverActuatorMessage } from '#actors/takeover-actuator.js'
import type { Config } from '#protocol/config.js'
import type { FleetMonitor } from '#protocol/fleet/monitor.js'
import { LastingFailure, type TakeoverJob } from '#protocol/fleet/takeover.js'
import {
  decideTakeover,
  type TakeoverFacts,
  type TakeoverRefusal,
  type TakeoverRequest,
} from '#src/domain/fleet/takeover-refusals.js'
import { describeEvidence } from '#src/domain/fleet/takeover-run.js'
import type { AcceptedTakeover, TakeoverDeps } from '#src/http/handlers/fleet.js'
import type { Audit, Meter, Publish, TakeoverStore } from '#src/ports/records.js'
import type { WriteActor } from '#src/writing/command.js'
import type { FleetSight } from './fleet-sight.js'
import type { HostForge } from './forge-of.js'
import type { CooldownCache } from './takeover-cooldown.js'

export interface TakeoverDeskSetup {
  readonly self: string
  readonly config: Pick<Config, 'fleet.auto_failover.after_sweeps'>
  readonly sight: FleetSight
  readonly monitor: () => Pick<FleetMonitor, 'document' | 'stale'>
  readonly forge: HostForge
  readonly cooldown: Pick<CooldownCache, 'current'>
  readonly store: Pick<TakeoverStore, 'enqueue' | 'active' | 'announce' | 'failuresOf'>
  readonly meter: Pick<Meter, 'count'>
  readonly audit: Audit
  readonly publish: Publish
  /** Tells the actuator that a job may wait. */
  readonly wake: (message: TakeoverActuatorMessage) => void
  /** Brings the next converge forward; returns whether it was due already. */
  readonly convergeSoon: () => void
  readonly isSyncEnabled: () => boolean
  /** Wall time. */
  readonly nowMs: () => number
  readonly monotonicMs: () => number
  /** A globally unique id. */
  readonly newId: () => string
}

/** Announcements within this time share a converge. */
const coalesceMs = 5_000

type FactSources = Pick<TakeoverDeskSetup, 'self' | 'config' | 'sight' | 'forge' | 'cooldown'>

/** What decides a takeover, read now. */
export const takeoverFactsOf = ({ self, config, sight, forge, cooldown }: FactSources): TakeoverFacts => ({
  canActuate: forge._tag === 'Forge',
  cooldown: cooldown.current(sight.fence()),
  fleet: sight.view(),
  self,
  afterSweeps: config['fleet.auto_failover.after_sweeps'],
})

/** The job of an accepted request; null off the fleet, where none is accepted. */
const jobOf = (
  { self, sight, monitor, newId }: TakeoverDeskSetup,
  { reason, isForced }: TakeoverRequest,
  town: string,
  actor: WriteActor,
): TakeoverJob | null => {
  const [fleet, fence] = [sight.view(), sight.fence()]
  if (fleet === null || fence === null) return null
  const { apex, term } = fleet.topology
  const evidence = describeEvidence(fleet, monitor(), self, actor.name)
  return { id: `takeover-${newId()}`, town, reason: reason ?? '', isForced, apex, term, fence, evidence }
}

/** How the last job for this version of the topology failed, where the next one fails as well until a person acts. */
const foreseeFailure = ({ sight, store }: TakeoverDeskSetup): LastingFailure | null => {
  const fence = sight.fence()
  const [newest] = fence === null ? [] : store.failuresOf(fence.commit)
  return LastingFailure.is(newest) ? newest : null
}

const queueJob = (setup: TakeoverDeskSetup, job: TakeoverJob, actor: WriteActor): AcceptedTakeover => {
  const { store, meter, audit, publish, wake, nowMs } = setup
  const earlierFailure = foreseeFailure(setup)
  const { isNew, record } = store.enqueue(job, nowMs())
  meter.count('svc_fleet_takeover_requests_total', { result: isNew ? 'accepted' : 'existing' })
  wake({ _tag: 'Wake' })
  if (!isNew) return { target: job.town, known: record, earlierFailure }
  const { id, town, apex, term } = job
  audit({ action: 'fleet.takeover', actor: actor.name, id, town, apex, term, forced: String(job.isForced) })
  publish('fleet:takeover', { id, town, apex, term, state: 'queued', failure: null, mrIid: null })
  return { target: town, known: null, earlierFailure }
}

const requestTakeover = (
  setup: TakeoverDeskSetup,
  request: TakeoverRequest,
  actor: WriteActor,
  dryRun: boolean,
): Either<TakeoverRefusal, AcceptedTakeover> => {
  const decision = decideTakeover(takeoverFactsOf(setup), request)
  if (decision._tag === 'Refused') {
    if (!dryRun) setup.meter.count('svc_fleet_takeover_requests_total', { result: decision.refusal._tag })
    return left(decision.refusal)
  }
  const { target } = decision
  if (dryRun) {
    const known = setup.store.active().find(({ job }) => job.town === target) ?? null
    return right({ target, known, earlierFailure: foreseeFailure(setup) })
  }
  const job = jobOf(setup, request, target, actor)
  return job === null ? left({ _tag: 'no_candidate', rejections: [] }) : right(queueJob(setup, job, actor))
}

/** Decides requests of a takeover and records announcements. It believes nothing of an announcement (S11). */
export const takeoverDesk = (setup: TakeoverDeskSetup): TakeoverDeps['takeovers'] => {
  const { forge, store, meter, audit, convergeSoon, isSyncEnabled, nowMs, monotonicMs } = setup
  let announcedAtMs: number | null = null
  return {
    missingSetting: () => (forge._tag === 'Forge' ? null : forge.why),
    request: (request, actor, dryRun) => requestTakeover(setup, request, actor, dryRun),
    announce: (announcement, actor, dryRun) => {
      if (dryRun) return isSyncEnabled()
      const isCoalesced = announcedAtMs !== null && monotonicMs() - announcedAtMs < coalesceMs
      if (!isCoalesced) announcedAtMs = monotonicMs()
      store.announce(announcement, nowMs())
      meter.count('svc_fleet_announces_total', { coalesced: String(isCoalesced) })
      audit({ action: 'fleet.announce', actor: actor.name, town: announcement.newPrimary })
      convergeSoon()
      return isSyncEnabled()
    },
  }
}

import { isLeft } from 'fp-ts/lib/Either.js'
import type { FailoverPorts } from '#actors/fleet/failover.js'
import {
  performAction,
  type TakeoverActuatorPorts,
  type TakeoverWork,
} from '#actors/fleet/takeover-actuator.js'
import type { TakeoverJob } from '#protocol/fleet/takeover.js'
import type { Config } from '#protocol/host/config.js'
import { rankCandidates } from '#src/domain/fleet/candidates.js'
import { automaticRequest, type FailoverInput } from '#src/domain/fleet/failover.js'
import type { EndedTakeover } from '#src/domain/fleet/monitor.js'
import type { TakeoverEnd } from '#src/domain/fleet/takeover-run.js'
import { tell } from '#src/kernel/actor/ref.js'
import { realEntropy } from '#src/kernel/entropy.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { ForgePort, Takeovers } from '#src/ports/fleet.js'
import type { Meter, Publish, TakeoverStore, TakeoverVerdict } from '#src/ports/records.js'
import type { Log } from '../records/records.js'
import { reasonOf } from '../start/environment.js'
import { convergeThrough } from '../sync/sync.js'
import type { HostNode } from '../tree/node.js'
import { type NodeTakeovers, openTakeovers, takeoverFactsOf } from './takeovers.js'

/**
 * The forge for the actors, whose answers set the clock of the cooldown and show that this host is not isolated. A host
 * without one refuses every job.
 */
export const callForge =
  ({ forge, cooldown, towns }: Pick<NodeTakeovers, 'forge' | 'cooldown' | 'towns'>): ForgePort =>
  async (...call) => {
    if (forge._tag === 'NoForge')
      return { outcome: { _tag: 'Denied', status: 401 }, status: null, dateMs: null }
    const answer = await forge.call(...call)
    cooldown.sawDate(answer.dateMs)
    towns.noteReach('forge', answer.status !== null)
    return answer
  }

/** The setting without which this host cannot call the forge; null where nothing is missing. */
export const missingSettingOf = (forge: NodeTakeovers['forge']): string | null =>
  forge._tag === 'Forge' ? null : forge.why

/** What the takeover actuator works with: the jobs on record, git, the forge and the records of the peers. */
export const takeoverWork = (setup: ActuatorSources): TakeoverActuatorPorts => {
  const { takeovers, store, converge, nowMs } = setup
  const { towns, git, cooldown } = takeovers
  const ports = {
    git,
    forge: callForge(takeovers),
    candidates: () => {
      const fleet = towns.view()
      return fleet === null ? [] : rankCandidates(fleet)
    },
    askCooldown: cooldown.ask,
    probeTown: towns.probe,
    converge: async () => {
      await converge()
    },
  }
  const written = tryWrites(setup.log)
  const observeEnd = (requestedMs: number, end: TakeoverEnd): void => {
    const result = end._tag === 'Failed' ? end.failure : 'done'
    const seconds = Math.max(0, nowMs() - requestedMs) / 1_000
    setup.meter.observe('svc_fleet_takeover_duration_seconds', { result }, seconds)
  }
  return {
    find: () => {
      const work: TakeoverWork = written(() => workOf(store, nowMs()), { _tag: 'Nothing' })
      if (work._tag !== 'Nothing') takeovers.errors.begin(work.job)
      return work
    },
    act: watchErrors(setup, (action, signal) => performAction(ports, action, signal)),
    note: (...given) => written(() => store.noteRequest(...given), undefined),
    end: ({ job }, end) =>
      written(() => {
        const known = store.active().find(one => one.job.id === job.id)
        if (!store.end(job.id, verdictOf(end), nowMs())) return true
        if (known !== undefined) observeEnd(known.requestedMs, end)
        reportEnd(setup, job, end)
        return true
      }, false),
    settle: id => written(() => store.settle(id), undefined),
    refresh: signal => cooldown.refresh(towns.fence(), signal),
  }
}

/** The ports of the takeover actuator on this host. */
export const takeoverActuatorPorts = ({
  takeovers,
  checkout,
  metrics,
  sync,
  refs,
  records,
  log,
  notices,
}: HostNode): TakeoverActuatorPorts =>
  takeoverWork({
    takeovers,
    store: checkout.runtime.takeovers,
    converge: convergeThrough(refs.sync, sync.whyOff),
    publish: records.publish,
    log,
    meter: metrics.meter,
    onEnded: ended => void notices.onTakeoverEnded(ended),
    nowMs: realClock.nowMs,
  })

/** Takeovers that are asked of this host. */
export const takeoversOf = (node: HostNode): Takeovers => {
  const { takeovers, checkout, config, metrics, monitor, options, records, refs, sync } = node
  return openTakeovers({
    ...takeovers,
    self: options.town,
    monitor: monitor.view,
    config,
    store: checkout.runtime.takeovers,
    meter: metrics.meter,
    audit: records.audit,
    publish: records.publish,
    wake: message => void tell(refs.takeovers, message),
    convergeSoon: () => void tell(refs.sync, { _tag: 'Announced' }),
    isSyncEnabled: () => sync.view().enabled,
    nowMs: realClock.nowMs,
    monotonicMs: realClock.monotonicMs,
    newId: realEntropy.id,
  })
}

/** What the failover actor works with: what this host knows, the forge, and the takeovers that it may ask. */
export const failoverWork = (setup: FailoverSources): FailoverPorts => {
  const { takeovers, config, log } = setup
  return {
    read: () => readInput(setup),
    forge: callForge(takeovers),
    targetBranch: config['server.sync_branch'] || null,
    ask: () => ask(setup),
    report: ({ seen, iid }, detail) => {
      if (seen === 'unknown') log.warn('failover_unseen', { reason: detail })
      else log.info('failover_held', { request: seen, iid })
    },
  }
}

/** The ports of the failover actor on this host. */
export const failoverPorts = (node: HostNode): FailoverPorts =>
  failoverWork({
    ...node,
    self: node.options.town,
    store: node.checkout.runtime.takeovers,
    request: takeoversOf(node).request,
  })

/** Carries out an action, and keeps and logs an error of it: a job repeats what failed for up to ten minutes. */
const watchErrors =
  ({ takeovers: { errors }, log, nowMs }: ActuatorSources, act: TakeoverActuatorPorts['act']) =>
  async (...[action, signal]: Parameters<TakeoverActuatorPorts['act']>) => {
    const outcome = await act(action, signal)
    const error = errors.take(action, outcome, nowMs())
    if (error !== null) log.warn('takeover_hindered', { id: error.jobId, reason: error.detail })
    return outcome
  }

const workOf = (store: TakeoverStore, nowMs: number): TakeoverWork => {
  const [next] = store.active()
  if (next !== undefined) {
    const { job, state, request } = next
    store.begin(job.id, nowMs)
    return { _tag: 'Job', job, isResumed: state === 'running', iid: request?.iid ?? null }
  }
  const [owed] = store.owed()
  if (owed === undefined) return { _tag: 'Nothing' }
  const reason = owed.detail ?? 'the job failed'
  return { _tag: 'Closing', job: owed.job, iid: owed.request?.iid ?? null, reason }
}

const verdictOf = (end: TakeoverEnd): TakeoverVerdict => {
  if (end._tag === 'Failed')
    return { _tag: 'Failed', failure: end.failure, detail: end.detail, owesClosing: end.owesClosing }
  const { iid, url, mergedAtMs } = end.request
  return { _tag: 'Done', iid, url, mergedAtMs }
}

const reportEnd = (
  { log, publish, onEnded }: Pick<ActuatorSources, 'log' | 'publish' | 'onEnded'>,
  job: TakeoverJob,
  end: TakeoverEnd,
): void => {
  const { id, town, apex, term } = job
  const failure = end._tag === 'Failed' ? end.failure : null
  const mrIid = end._tag === 'Failed' ? end.iid : end.request.iid
  const state = end._tag === 'Failed' ? 'failed' : 'done'
  publish('fleet:takeover', { id, town, apex, term, state, failure, mrIid })
  const detail = end._tag === 'Failed' ? end.detail : null
  log.warn('takeover_ended', { id, target: town, apex, state, failure, detail, mrIid })
  onEnded({ town, apex, term, failure })
}

/**
 * Writes to the store of takeovers, and returns `otherwise` where the disk refuses. A fault would end the actuator
 * after a few seconds of a full disk. A job whose end is not on record stays active: the next look begins it
 * again, and each of its steps first meets what an earlier attempt did.
 */
const tryWrites =
  (log: ActuatorSources['log']) =>
  <A>(work: () => A, otherwise: A): A => {
    try {
      return work()
    } catch (error) {
      log.warn('takeover_unrecorded', { reason: reasonOf(error) })
      return otherwise
    }
  }

interface ActuatorSources {
  readonly takeovers: NodeTakeovers
  readonly store: TakeoverStore
  readonly converge: () => Promise<unknown>
  readonly publish: Publish
  readonly log: Pick<Log, 'warn'>
  readonly meter: Pick<Meter, 'observe'>
  /** Called when the end of a job is on record. */
  readonly onEnded: (ended: EndedTakeover) => void
  /** Wall time. */
  readonly nowMs: () => number
}

interface FailoverSources {
  readonly self: string
  readonly takeovers: Pick<NodeTakeovers, 'towns' | 'forge' | 'cooldown'>
  readonly store: Pick<TakeoverStore, 'active' | 'failuresOf'>
  readonly config: Pick<
    Config,
    'fleet.auto_failover.enabled' | 'fleet.auto_failover.after_sweeps' | 'server.sync_branch'
  >
  /** Takes requests by hand, too. */
  readonly request: Takeovers['request']
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** The actor of a takeover that no person asked for. */
const daemonActor = { name: 'daemon', gracz: null, kind: 'machine' } as const

/**
 * The misses count here while this host is isolated: the look at the forge, which comes before an ask, shows whether it
 * is, and the request is decided by what counts then.
 */
const readInput = ({ self, takeovers, store, config }: FailoverSources): FailoverInput => {
  const { towns } = takeovers
  const fence = towns.fence()
  return {
    facts: takeoverFactsOf({ ...takeovers, towns: { ...towns, view: towns.suspectView }, self, config }),
    isEnabled: config['fleet.auto_failover.enabled'],
    fence,
    hasActiveJob: store.active().length > 0,
    failures: fence === null ? [] : store.failuresOf(fence.commit),
  }
}

const ask = ({ self, request, log }: FailoverSources): boolean => {
  try {
    const asked = request(automaticRequest(self), daemonActor, false)
    const isQueued = !isLeft(asked) && asked.right.known === null
    if (isQueued) log.warn('failover_asked')
    return isQueued
  } catch (error) {
    log.warn('failover_unasked', { reason: reasonOf(error) })
    return false
  }
}

import type { TakeoverWork } from '#actors/takeover-actuator/messages.js'
import { performAction } from '#actors/takeover-actuator/perform-action.js'
import type { TakeoverActuatorPorts } from '#actors/takeover-actuator/takeover-actuator.js'
import type { TakeoverJob } from '#protocol/fleet/takeover-job.js'
import { rankCandidates } from '#src/domain/fleet/candidates.js'
import type { TakeoverEnd } from '#src/domain/fleet/takeover/run.js'
import { tell } from '#src/kernel/actor/ref.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { ForgePort } from '#src/ports/forge.js'
import type { TakeoverStore, TakeoverVerdict } from '#src/ports/records/takeovers.js'
import { convergeThrough } from '../sync/host-sync.js'
import type { NodeParts } from '../tree/node-parts.js'
import type { NodeTakeovers } from './node-takeovers.js'
import { takeoverDesk } from './takeover-desk.js'

/** The forge for the actuator, whose answers set the clock of the cooldown. A host without one refuses every job. */
const callForge =
  ({ forge, cooldown }: NodeTakeovers): ForgePort =>
  async (...call) => {
    if (forge._tag === 'NoForge')
      return { outcome: { _tag: 'Denied', status: 401 }, status: null, dateMs: null }
    const answer = await forge.call(...call)
    cooldown.sawDate(answer.dateMs)
    return answer
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

const reportEnd = ({ log, records, notices }: NodeParts, job: TakeoverJob, end: TakeoverEnd): void => {
  const { id, town, apex, term } = job
  const failure = end._tag === 'Failed' ? end.failure : null
  const mrIid = end._tag === 'Failed' ? end.iid : end.request.iid
  const state = end._tag === 'Failed' ? 'failed' : 'done'
  records.publish('fleet:takeover', { id, town, apex, term, state, failure, mrIid })
  const detail = end._tag === 'Failed' ? end.detail : null
  log.warn('takeover_ended', { id, town, apex, state, failure, detail, mrIid })
  void notices.onTakeoverEnded({ town, apex, term, failure })
}

/** The ports of the takeover actuator on this host. */
export const takeoverActuatorPorts = (parts: NodeParts): TakeoverActuatorPorts => {
  const { takeovers, checkout, sync, tree } = parts
  const { sight, git, cooldown } = takeovers
  const store = checkout.runtime.takeovers
  const converge = convergeThrough(tree.doors.sync, sync.whyOff)
  const ports = {
    git,
    forge: callForge(takeovers),
    candidates: () => {
      const fleet = sight.view()
      return fleet === null ? [] : rankCandidates(fleet)
    },
    probeApex: sight.probe,
    converge: async () => {
      await converge()
    },
  }
  return {
    find: () => workOf(store, realClock.nowMs()),
    act: (action, signal) => performAction(ports, action, signal),
    note: store.noteRequest,
    end: ({ job }, end) => {
      if (store.end(job.id, verdictOf(end), realClock.nowMs())) reportEnd(parts, job, end)
    },
    settle: store.settle,
    refresh: signal => cooldown.refresh(sight.fence(), signal),
  }
}

/** The rows of takeovers on this host. */
export const takeoverDeps = ({
  takeovers,
  checkout,
  config,
  metrics,
  options,
  records,
  sync,
  tree,
}: NodeParts) => ({
  takeovers: takeoverDesk({
    ...takeovers,
    self: options.town,
    config,
    store: checkout.runtime.takeovers,
    meter: metrics.meter,
    audit: records.audit,
    publish: records.publish,
    wake: message => void tell(tree.doors.takeovers, message),
    convergeSoon: () => void tell(tree.doors.sync, { _tag: 'Announced' }),
    isSyncEnabled: () => sync.view().enabled,
    nowMs: realClock.nowMs,
    monotonicMs: realClock.monotonicMs,
  }),
})

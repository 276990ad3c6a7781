import type { ConvergeStep } from '#actors/repository-sync/join-remote.js'
import type { HostRequests } from '#actors/repository-sync/publish.js'
import type { SyncPorts } from '#actors/repository-sync/repository-sync.js'
import type { RepositoryStands } from '#src/adapters/git/checkout-state.js'
import { pauseForge } from '#src/adapters/outbound/forge-http.js'
import { gitObjectStore } from '#src/adapters/sync/object-store.js'
import { writeConvergeFailure, writeLintRecord } from '#src/adapters/sync/records.js'
import { publishGit } from '#src/adapters/sync/remote/publish-git.js'
import { gitRemote } from '#src/adapters/sync/remote/remote.js'
import type { RemoteOptions } from '#src/adapters/sync/remote/run-git.js'
import { planPurge, planReplay } from '#src/adapters/sync/replay.js'
import type { LintDeps } from '#src/http/handlers/places.js'
import type { SyncDeps } from '#src/http/handlers/sync.js'
import { realClock } from '#src/kernel/time/clock.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { ObjectStore, Remote } from '#src/ports/git.js'
import type { Meter } from '#src/ports/records.js'
import { tellFleet } from '../fleet/role.js'
import { callForge } from '../fleet/takeover-work.js'
import { describeForgeAbsence } from '../fleet/view.js'
import { tickMeter } from '../records/records.js'
import type { NodeParts } from '../tree/node.js'
import { makeAdvanceBranch, makeHoldGate, robotCommits } from './advance-through.js'
import { convergeThrough, type HostSync, meterPublishGit, meterRemote } from './sync.js'
import { recordConverges } from './sync-record.js'

/** The object store of this host's checkout; nothing is done where there is no git, or another one in its place. */
export const objectStoreOf = ({ checkout: { repo, isGit, stands } }: NodeParts): ObjectStore => {
  const store = gitObjectStore(repo)
  const isHere = async (): Promise<boolean> => isGit && (await stands())
  return {
    weigh: async signal => ((await isHere()) ? store.weigh(signal) : null),
    pack: async signal => {
      if (await isHere()) await store.pack(signal)
    },
    collectGarbage: async signal => {
      if (await isHere()) await store.collectGarbage(signal)
    },
  }
}

/** The remote of this host, as its configuration names it. */
export const remotePlaceOf = ({ checkout, config, options }: NodeParts): RemoteOptions => ({
  repo: checkout.repo,
  state: checkout.state,
  remote: config['server.sync_remote'],
  branch: config['server.sync_branch'],
  town: options.town,
  breathe: daemonBreather(),
})

/** The ports of the repository sync on this host. */
export const syncPorts = (parts: NodeParts): SyncPorts => {
  const { checkout, metrics, sync } = parts
  const place = remotePlaceOf(parts)
  const remote = meterRemote(gitRemote(place), metrics.meter)
  const timed = timeSteps(metrics.meter, sync.running)
  const recordConverge = recordConverges({
    held: parts.held,
    fleet: parts.fleet.state,
    lint: sync.lint,
    meter: metrics.meter,
    timed,
    log: parts.log,
    publish: parts.records.publish,
    nowMs: realClock.nowMs,
    breathe: daemonBreather(),
    save: record => writeLintRecord(checkout.state, record),
    saveFailure: failure => writeConvergeFailure(checkout.state, failure),
    changes: robotCommits({
      repo: checkout.repo,
      history: checkout.history,
      isVerified: parts.isVerified,
      snapshot: parts.snapshot,
    }),
  })
  return {
    remote: tellFleet(
      sync.timeRemote(whereItStands(remote, checkout.stands)),
      parts.fleet,
      parts.peers.table.noteReach,
    ),
    advance: makeAdvanceBranch(parts.tree.doors.gate),
    hold: makeHoldGate(parts.tree.doors.gate, realClock),
    nowMs: realClock.nowMs,
    after: realClock.after,
    requests: requestsOf(parts, place),
    accepted: recordAccepted(parts),
    timed,
    report: report => {
      sync.report.set(report)
      if (report.unpublished !== null)
        metrics.meter.gauge('svc_sync_unpushed_commits', {}, report.unpublished)
      metrics.meter.gauge('svc_intents_pending', { kind: 'publishing' }, report.unpublished ?? 0)
      metrics.meter.gauge('svc_sync_parked_refs', {}, report.parked.length)
      if (report.lastOk !== null)
        metrics.meter.gauge('svc_sync_last_success_timestamp_seconds', {}, report.lastOk.nowMs / 1000)
    },
    ticked: tickMeter(metrics.meter, 'converge', sync.setup.intervalMs),
    concluded: async (ended, signal) => {
      await recordConverge(ended, signal)
      await parts.notices.onConverged(ended, signal)
    },
  }
}

/** What the front needs of the sync with the remote. */
export const syncDeps = ({
  sync,
  tree,
  checkout: { repo },
}: NodeParts): Pick<SyncDeps, 'converge' | 'accept' | 'planAccept' | 'sync'> & LintDeps => ({
  sync: sync.view,
  converge: convergeThrough(tree.doors.sync, sync.whyOff, 'Sync', sync.running),
  accept: convergeThrough(tree.doors.sync, sync.whyOff, 'Accept', sync.running),
  planAccept: async () => {
    const report = sync.report.get()
    const rewrite = report?.rewrite ?? null
    if (rewrite !== null) return { ...rewrite, ...(await planReplay(repo, rewrite, 'HEAD')) }
    return report?.lastAction === 'history_purged' ? planPurge(repo) : null
  },
  recordedLint: sync.lint.get,
})

/**
 * A remote that checks that the repository still exists: this host must not change another one in its place.
 */
const whereItStands = (remote: Remote, stands: RepositoryStands): Remote => ({
  ...remote,
  facts: async () => ((await stands()) ? remote.facts() : { exists: false, address: null }),
})

/** What mode `mr` works with; where this host has no forge, the setting that it lacks. */
const requestsOf = ({ takeovers, options, metrics }: NodeParts, place: RemoteOptions): HostRequests => {
  const { forge } = takeovers
  if (forge._tag === 'NoForge')
    return { missing: `Mode mr needs a forge. This host has none: ${describeForgeAbsence(forge.why)}.` }
  const call = pauseForge(callForge(takeovers), realClock.monotonicMs)
  return { git: meterPublishGit(publishGit(place), metrics.meter), forge: call, town: options.town }
}

type TimeStep = <A>(step: ConvergeStep | 'lint', work: () => Promise<A>) => Promise<A>

/** Times the steps of a converge, for the metric, and names the one that runs. */
const timeSteps =
  (meter: Meter, running: HostSync['running']): TimeStep =>
  async (step, work) => {
    const sinceMs = realClock.monotonicMs()
    running.set({ step, sinceMs })
    const done = await work()
    meter.observe('svc_sync_step_duration_seconds', { step }, (realClock.monotonicMs() - sinceMs) / 1_000)
    return done
  }

/** Records a rewrite that was accepted, and which commit is which since. */
const recordAccepted =
  ({ checkout, records, log }: NodeParts): SyncPorts['accepted'] =>
  ({ rewrite: { seen, tip }, from, to, kept, made, parked }) => {
    checkout.runtime.intents.follow(made)
    log.warn('history_accepted', { seen, tip, from, to, kept, replayed: made.length, parked: parked.length })
    records.audit({ action: 'history.accept', actor: 'machine', seen, tip, from, commit: to, kept })
    for (const one of made)
      records.audit({
        action: 'history.replay',
        actor: 'machine',
        intent: one.intent,
        from: one.from,
        commit: one.to,
      })
    for (const one of parked) records.publish('sync:parked', one)
  }

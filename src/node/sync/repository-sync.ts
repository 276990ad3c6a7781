import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type {
  AdvanceBranch,
  AdvanceFailure,
  ConvergeStep,
  HoldGate,
} from '#actors/repository-sync/join-remote.js'
import type { HostRequests } from '#actors/repository-sync/publish.js'
import type { SyncPorts } from '#actors/repository-sync/repository-sync.js'
import type { Incoming } from '#actors/repository-sync/state.js'
import type { AdvanceOutcome, GateHeld, GateRequest, LeaseOver } from '#actors/write-gate/messages.js'
import { CommitId, type Tree } from '#protocol/atoms.js'
import { isConverged } from '#protocol/host/sync.js'
import type { RepositoryStands } from '#src/adapters/git/checkout-state.js'
import { pauseForge } from '#src/adapters/outbound/forge-http.js'
import { gitObjectStore } from '#src/adapters/sync/object-store.js'
import { writeConvergeFailure, writeLintRecord } from '#src/adapters/sync/records.js'
import { publishGit } from '#src/adapters/sync/remote/publish-git.js'
import { gitRemote } from '#src/adapters/sync/remote/remote.js'
import type { RemoteOptions } from '#src/adapters/sync/remote/run-git.js'
import { planPurge, planReplay } from '#src/adapters/sync/replay.js'
import { robotChangesOf } from '#src/adapters/sync/robot-changes.js'
import type { IsVerified } from '#src/domain/audit/verified-commits.js'
import { type RobotChange, robotPaths, robotRows } from '#src/domain/lint/robot-files.js'
import { type AskFailure, ask, type Ref, type ReplyTo, tell } from '#src/kernel/actor/ref.js'
import { type KernelClock, realClock } from '#src/kernel/time/clock.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { GitHistory, ObjectStore, Remote, RemoteSync } from '#src/ports/git.js'
import type { Meter } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WritePort } from '#src/writing/command.js'
import { reversalCommand } from '#src/writing/reversal.js'
import { tellFleet } from '../fleet/role.js'
import { callForge } from '../fleet/takeover-work.js'
import { describeForgeAbsence } from '../fleet/view.js'
import { tickMeter } from '../records/records.js'
import type { HostNode } from '../tree/node.js'
import { convergeThrough, type HostSync, meterPublishGit, meterRemote, recordConverges } from './sync.js'

/** The object store of this host's checkout; nothing is done where there is no git, or another one in its place. */
export const objectStoreOf = ({ checkout: { repo, isGit, stands } }: HostNode): ObjectStore => {
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
export const remotePlaceOf = ({ checkout, config, options }: HostNode): RemoteOptions => ({
  repo: checkout.repo,
  state: checkout.state,
  remote: config['server.sync_remote'],
  branch: config['server.sync_branch'],
  town: options.town,
  breathe: daemonBreather(),
})

/** The ports of the repository sync on this host; `write` makes its own writes. */
export const syncPorts = (node: HostNode, write: WritePort): SyncPorts => {
  const { checkout, metrics, sync } = node
  const place = remotePlaceOf(node)
  const remote = meterRemote(gitRemote(place), metrics.meter)
  const timed = timeSteps(metrics.meter, sync.running)
  const recordConverge = recordConverges({
    held: node.held,
    fleet: node.fleet.state,
    lint: sync.lint,
    meter: metrics.meter,
    timed,
    log: node.log,
    publish: node.records.publish,
    nowMs: realClock.nowMs,
    breathe: daemonBreather(),
    save: record => writeLintRecord(checkout.state, record),
    saveFailure: failure => writeConvergeFailure(checkout.state, failure),
    changes: robotCommits({
      repo: checkout.repo,
      history: checkout.history,
      isVerified: node.isVerified,
      snapshot: node.snapshot,
    }),
  })
  return {
    remote: tellFleet(
      sync.timeRemote(whereItStands(remote, checkout.stands)),
      node.fleet,
      node.peers.table.noteReach,
    ),
    advance: makeAdvanceBranch(node.refs.gate),
    hold: makeHoldGate(node.refs.gate, realClock),
    nowMs: realClock.nowMs,
    after: realClock.after,
    requests: requestsOf(node, place, write),
    accepted: recordAccepted(node),
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
      await node.releaseNotices(isConverged(ended.action))
      await node.notices.onConverged(ended, signal)
    },
  }
}

/** What the front needs of the sync with the remote. A converge begins one of every further tree, too. */
export const remoteSyncOf = ({ sync, trees, refs, checkout: { repo } }: HostNode): RemoteSync => ({
  sync: sync.view,
  trees: () => [...trees].map(([tree, { sync: of }]) => ({ tree, ...of.view() })),
  converge: () => {
    for (const { syncRef } of trees.values()) tell(syncRef, { _tag: 'Announced' })
    return convergeThrough(refs.sync, sync.whyOff, 'Sync', sync.running)()
  },
  accept: convergeThrough(refs.sync, sync.whyOff, 'Accept', sync.running),
  planAccept: async () => {
    const report = sync.report.get()
    const rewrite = report?.rewrite ?? null
    if (rewrite !== null) return { ...rewrite, ...(await planReplay(repo, rewrite, 'HEAD')) }
    return report?.lastAction === 'history_purged' ? planPurge(repo) : null
  },
  recordedLint: sync.lint.get,
})

/**
 * Returns the function that moves the branch of a tree through the gate without a lease, in its turn among the writes.
 * It waits at most `gateAnswerMs`. Left: `Away` (the branch did not move), `Unknown` (it may have moved), or
 * the refusal of the gate.
 */
export const makeAdvanceBranch = (gate: Ref<GateRequest>, tree: Tree = 'lore'): AdvanceBranch =>
  advanceUnder(gate, tree, null)

/**
 * Returns the function that runs work under a lease of the gate, during which no write of this host lands.
 * Left: there was no lease and the work did not begin. The signal of the work aborts after `limitMs`, when
 * the gate ends the lease, and when the gate cannot report its end; a move after that is refused. The
 * function always waits for work that began, so its result counts even where the lease ended, and rejects
 * when the work rejects. It always releases the lease.
 */
export const makeHoldGate =
  (gate: Ref<GateRequest>, clock: Pick<KernelClock, 'after'>, tree: Tree = 'lore'): HoldGate =>
  async <A>(
    work: (advance: AdvanceBranch, signal: AbortSignal) => Promise<A>,
    limitMs: number,
  ): Promise<Either<string, A>> => {
    const lease = await takeLease(gate, limitMs)
    if (isLeft(lease)) return left(awayWords(lease.left))
    const given = new AbortController()
    const giveBack = (): void => {
      given.abort()
      tell(gate, { _tag: 'Release', lease: lease.right })
    }
    const follow = (replyTo: ReplyTo<LeaseOver>): GateRequest => ({
      _tag: 'Follow',
      lease: lease.right,
      replyTo,
    })
    void ask<GateRequest, LeaseOver>(gate, follow, limitMs + gateAnswerMs).then(() => given.abort())
    const cancel = clock.after(limitMs, giveBack)
    try {
      return right(await work(advanceUnder(gate, tree, lease.right), given.signal))
    } finally {
      cancel()
      tell(gate, { _tag: 'Release', lease: lease.right })
    }
  }

/**
 * The commits of a range that changed files which only the daemon writes, and whether their trailers are
 * authentic.
 */
export const robotCommits =
  ({
    repo,
    history,
    isVerified,
    snapshot,
  }: {
    readonly repo: string
    /** Null on a plain directory: then no commit is verified. */
    readonly history: GitHistory | null
    readonly isVerified: IsVerified
    readonly snapshot: () => Snapshot | null
  }) =>
  async (range: Incoming, signal: AbortSignal): Promise<ReadonlyArray<RobotChange>> => {
    const keys = snapshot()?.fleetKeys ?? null
    const verified = async (id: string): Promise<boolean> => {
      const commit = CommitId.decode(id)
      if (keys === null || history === null || isLeft(commit)) return false
      const told = await history.commit(commit.right)
      return told !== null && isVerified(told, keys)
    }
    const changes: Array<RobotChange> = []
    for (const change of await robotChangesOf(repo, range, robotPaths, robotRows, signal))
      changes.push({ ...change, verified: await verified(change.commit) })
    return changes
  }

/**
 * A remote that checks that the repository still exists: this host must not change another one in its place.
 */
export const whereItStands = (remote: Remote, stands: RepositoryStands): Remote => ({
  ...remote,
  facts: async () => ((await stands()) ? remote.facts() : { exists: false, address: null }),
})

/** What mode `mr` works with; where this host has no forge, the setting that it lacks. */
const requestsOf = (
  { takeovers, options, metrics }: HostNode,
  place: RemoteOptions,
  write: WritePort,
): HostRequests => {
  const { forge } = takeovers
  if (forge._tag === 'NoForge')
    return { missing: `Mode mr needs a forge. This host has none: ${describeForgeAbsence(forge.why)}.` }
  const call = pauseForge(callForge(takeovers), realClock.monotonicMs)
  return {
    git: meterPublishGit(publishGit(place), metrics.meter),
    forge: call,
    town: options.town,
    takeBack: takeBackBy(write),
  }
}

/** Takes back enactments by a write of the host, which waits its turn at the gate. */
const takeBackBy =
  (write: WritePort): Extract<HostRequests, { readonly forge: unknown }>['takeBack'] =>
  async (iid, lines) => {
    const written = await write(reversalCommand(iid, lines))
    return isLeft(written) ? written.left.detail : null
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
  ({ checkout, records, log }: HostNode): SyncPorts['accepted'] =>
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

/** How long an ask waits for the gate, which first completes the writes that came before. */
const gateAnswerMs = 120_000

const awayWords = ({ _tag }: AskFailure): string => `the write gate did not answer: ${_tag}`

/**
 * A gate that did not accept the message did nothing. After any other failure it is unknown whether the
 * branch moved.
 */
const failureOf = (failure: AskFailure): AdvanceFailure => {
  const isUntaken = failure._tag === 'Full' || failure._tag === 'Gone' || failure._tag === 'Unavailable'
  return { _tag: isUntaken ? 'Away' : 'Unknown', reason: awayWords(failure) }
}

const lapsed: AdvanceFailure = { _tag: 'Away', reason: 'the lease of the write gate has ended' }

/** A move of the branch by the gate, as a converge sees it. */
export const advanceResult = (outcome: AdvanceOutcome): Either<AdvanceFailure, void> => {
  if (outcome._tag === 'Advanced') return right(undefined)
  return left(outcome._tag === 'Lapsed' ? lapsed : outcome)
}

/** Moves the branch through the gate, under a lease or in its turn. A gate that is down is a failure. */
const advanceUnder =
  (gate: Ref<GateRequest>, tree: Tree, lease: string | null): AdvanceBranch =>
  async (from, to, reason, replaces = false) => {
    const asked = (replyTo: ReplyTo<AdvanceOutcome>): GateRequest => ({
      _tag: 'Advance',
      tree,
      from,
      to,
      reason,
      replaces,
      lease,
      replyTo,
    })
    const answer = await ask<GateRequest, AdvanceOutcome>(gate, asked, gateAnswerMs)
    return isLeft(answer) ? left(failureOf(answer.left)) : advanceResult(answer.right)
  }

/** Takes a lease, or returns why there is none. */
const takeLease = async (gate: Ref<GateRequest>, limitMs: number): Promise<Either<AskFailure, string>> => {
  let lease = ''
  const asked = (replyTo: ReplyTo<GateHeld>): GateRequest => {
    lease = replyTo.askId
    return { _tag: 'Hold', lease, limitMs, replyTo }
  }
  const answer = await ask<GateRequest, GateHeld>(gate, asked, gateAnswerMs)
  if (!isLeft(answer)) return right(lease)
  tell(gate, { _tag: 'Release', lease })
  return answer
}

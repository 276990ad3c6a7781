import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Loaded } from '#actors/corpus-keeper/load.js'
import { type ConvergeStep, stepWords } from '#actors/repository-sync/join-remote.js'
import type { SyncPorts } from '#actors/repository-sync/repository-sync.js'
import {
  type EndedConverge,
  type Incoming,
  isStale,
  type RepositorySyncMessage,
  type SyncAnswer,
  type SyncOptions,
  type SyncReport,
  type SyncRequest,
} from '#actors/repository-sync/state.js'
import { instantOf } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import {
  type ConvergeFailure,
  hasFetched,
  isConverged,
  type PushRejection,
  type SyncAction,
} from '#protocol/host/sync.js'
import { syncRoutes } from '#protocol/host/sync-routes.js'
import type { ConvergeLint, LintFinding } from '#protocol/lore/places.js'
import { refuse } from '#protocol/refusal.js'
import { readLintRecord } from '#src/adapters/sync/records.js'
import { isRemoteName } from '#src/adapters/sync/remote/remote-address.js'
import type { FleetState } from '#src/domain/fleet/fleet-state.js'
import { buildLintRecord, lintFindingOf } from '#src/domain/lint/claim-lint.js'
import { foreignChanges, type RobotChange } from '#src/domain/lint/robot-files.js'
import { batchReadingFindings } from '#src/domain/points/batches.js'
import { closedReadingFindings, formerSessionsInSlices } from '#src/domain/sessions/former-sessions.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import { type AskFailure, ask, type Ref, type ReplyTo } from '#src/kernel/actor/ref.js'
import { askTrouble } from '#src/kernel/ask-trouble.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { PublishGit, Pushed, Remote, RemoteSync, SyncView } from '#src/ports/git.js'
import type { Meter, Publish } from '#src/ports/records.js'
import { type Cell, makeCell } from '#src/snapshot/cell.js'
import { sleepMeter } from '../fleet/host-clocks.js'
import type { Log } from '../records/records.js'
import type { Checkout } from '../start/checkout.js'

/** What the node knows of its sync, also before its actor runs. */
export interface HostSync extends SyncAge {
  readonly setup: SyncOptions
  readonly report: Cell<SyncReport>
  readonly lint: Cell<ConvergeLint>
  /** The last step that a converge began, and when; its lint follows the converge. */
  readonly running: Cell<{ readonly step: ConvergeStep | 'lint'; readonly sinceMs: number }>
  readonly view: () => SyncView
  /** The refusal of a converge where sync is off. */
  readonly whyOff: string
}

/** Reads what an earlier run recorded; starts nothing. */
export const hostSync = (checkout: Pick<Checkout, 'isGit' | 'state'>, config: Config): HostSync => {
  const report = makeCell<SyncReport>()
  const lint = makeCell<ConvergeLint>()
  const recorded = readLintRecord(checkout.state)
  if (recorded !== null) lint.set(recorded)
  const staleAfterMinutes = config['server.sync_max_age_min']
  const age = measureSyncAge({
    report,
    maxAgeMs: staleAfterMinutes * minuteMs,
    monotonicMs: realClock.monotonicMs,
    sleptMs: sleepMeter(),
  })
  return {
    setup: {
      publishMode: config['server.publish_mode'],
      intervalMs: checkout.isGit ? config['server.sync_interval_min'] * minuteMs : 0,
      convergeMsMax,
    },
    report,
    lint,
    running: makeCell(),
    ...age,
    whyOff: whySyncIsOff({
      isGit: checkout.isGit,
      intervalMinutes: config['server.sync_interval_min'],
      remote: config['server.sync_remote'],
    }),
    view: () => {
      const known = report.get()
      return {
        enabled: known?.enabled ?? false,
        git: checkout.isGit,
        remote: known?.remote ?? null,
        publishMode: config['server.publish_mode'],
        intervalMinutes: config['server.sync_interval_min'],
        stale: age.isStale(),
        staleAfterMinutes,
        lastConvergeOkMs: known?.lastOk?.nowMs ?? null,
        lastAction: known?.lastAction ?? null,
        lastDetail: known?.lastDetail ?? null,
        unpublished: known?.unpublished ?? null,
        request: known?.request ?? null,
        parked: known?.parked ?? [],
      }
    },
  }
}

/**
 * Returns the function that fetches the branch, by a converge that begins after the call. It answers within
 * `limitMs`: null where the branch was fetched or sync is off, otherwise why it was not fetched.
 */
export const fetchThrough =
  (door: Ref<RepositorySyncMessage>) =>
  async (limitMs: number): Promise<string | null> => {
    const answer = await askSync(door, limitMs)
    if (isLeft(answer)) return askTrouble('the sync', answer.left)
    if (answer.right._tag === 'Disabled') return null
    const { lastAction, lastDetail } = answer.right.report
    if (lastAction !== null && hasFetched(lastAction)) return null
    return `the branch was not fetched: ${lastDetail ?? lastAction ?? 'no converge has ended'}`
  }

/**
 * Runs one converge for a caller, by `Sync` or `Accept`, and returns how it ended; refuses where sync is off. Where it
 * does not end in time, the refusal names the step of `running`.
 */
export const convergeThrough =
  (
    door: Ref<RepositorySyncMessage>,
    whyOff: string,
    tag: SyncRequest['_tag'] = 'Sync',
    running?: HostSync['running'],
    deadlineMs = convergeDeadlineMs,
  ): RemoteSync['converge'] =>
  async () => {
    const answer = await askSync(door, deadlineMs, tag)
    if (isLeft(answer)) {
      const wait = answer.left._tag === 'Timeout' ? describeWait(running, realClock.monotonicMs()) : ''
      const why = askTrouble('the sync', answer.left)
      return left(refuse('Overloaded', `${why}.${wait} GET /sync says how the converge ended.`))
    }
    if (answer.right._tag === 'Disabled') return left(refuse('SyncDisabled', whyOff))
    const { lastAction, lastDetail } = answer.right.report
    return right({ lastAction, lastDetail })
  }

/**
 * Returns a function that meters how a push ended, and returns it. The pushes until one arrives are counted together.
 */
export const meterPushes = (meter: Meter): ((pushed: Pushed) => Pushed) => {
  let pushes = 0
  return pushed => {
    pushes += 1
    if (pushed._tag === 'Pushed') {
      meter.observe('svc_sync_push_attempts', {}, pushes)
      pushes = 0
    } else meter.count('svc_sync_push_rejections_total', { reason: rejectionOf(pushed) })
    return pushed
  }
}

/** A remote whose fetches show how far this host is behind, and whose pushes are metered. */
export const meterRemote = (remote: Remote, meter: Meter): Remote => {
  const note = meterPushes(meter)
  const noteBehind = <F extends Awaited<ReturnType<Remote['fetch']>>>(fetched: F): F => {
    if (fetched._tag === 'Fetched') meter.gauge('svc_sync_behind_commits', {}, fetched.incoming)
    return fetched
  }
  return {
    ...remote,
    fetch: async signal => noteBehind(await remote.fetch(signal)),
    compare: async branch => noteBehind(await remote.compare(branch)),
    push: async (...given) => note(await remote.push(...given)),
  }
}

/** The git part of mode `mr`, with its pushes metered. */
export const meterPublishGit = (git: PublishGit, meter: Meter): PublishGit => {
  const note = meterPushes(meter)
  return { ...git, push: async (...given) => note(await git.push(...given)) }
}

export interface SyncAge {
  /** Whether the age of the last converge closes the write gate (D34). */
  readonly isStale: () => boolean
  /** Age of the last full converge; null where sync is off or none succeeded since the start. */
  readonly ageMs: () => number | null
  /** The same remote; a converge is as old as its last fetch or push, from the start of that one. */
  readonly timeRemote: <R extends Pick<Remote, 'fetch' | 'push'>>(remote: R) => R
}

/**
 * Measures the age of the last full converge, with the time that the machine slept. A host that is stopped or asleep
 * between its fetch and the end of the converge knows no more than at the fetch.
 */
export const measureSyncAge = ({
  report,
  maxAgeMs,
  monotonicMs,
  sleptMs,
}: {
  readonly report: Cell<SyncReport>
  /** Age at which the last converge closes the write gate; 0: never. */
  readonly maxAgeMs: number
  readonly monotonicMs: () => number
  /** How long the machine has slept since the start. */
  readonly sleptMs: () => number
}): SyncAge => {
  const readTime = (): WakingTime => ({ monotonicMs: monotonicMs(), sleptMs: sleptMs() })
  const bootMs = monotonicMs()
  let okAtMs = bootMs
  let known: WakingTime = { monotonicMs: bootMs, sleptMs: 0 }
  let calledRemote: WakingTime | null = null
  report.watch(() => {
    const atMs = report.get()?.lastOk?.monotonicMs
    if (atMs === undefined || atMs === okAtMs) return
    okAtMs = atMs
    const ended = { monotonicMs: atMs, sleptMs: sleptMs() }
    known = calledRemote !== null && calledRemote.monotonicMs < atMs ? calledRemote : ended
  })
  const ageNowMs = (): number => monotonicMs() - known.monotonicMs + sleptMs() - known.sleptMs
  return {
    isStale: () => isStale(report.get(), { bootMs: okAtMs, nowMs: okAtMs + ageNowMs(), maxAgeMs }),
    ageMs: () => {
      const now = report.get()
      return now?.enabled !== true || now.lastOk === null ? null : Math.max(0, ageNowMs())
    },
    timeRemote: remote => ({
      ...remote,
      fetch: signal => {
        calledRemote = readTime()
        return remote.fetch(signal)
      },
      push: (branch, commit, signal) => {
        calledRemote = readTime()
        return remote.push(branch, commit, signal)
      },
    }),
  }
}

/**
 * Why a converge is refused, and what to do. The remote is read at every converge, so a missing remote is the
 * reason where neither of the others is.
 */
export const whySyncIsOff = ({ isGit, intervalMinutes, remote }: SyncFacts): string => {
  if (!isGit)
    return 'Sync is off because this is a plain directory, not a git repository. Serve a clone, and restart.'
  if (intervalMinutes === 0)
    return 'Sync is off because server.sync_interval_min is 0. Commit another value in .svc/config.json, and restart.'
  if (!isRemoteName(remote))
    return 'Sync is off because server.sync_remote is not a remote name. Commit one in .svc/config.json, and restart.'
  return (
    `There is no git remote ${remote} (server.sync_remote): run \`git remote add ${remote} URL\` ` +
    'in the checkout and try again; no restart is needed.'
  )
}

export interface ConcludePorts {
  readonly held: Cell<Loaded>
  readonly fleet: () => Pick<FleetState, 'findings'>
  readonly lint: Cell<ConvergeLint>
  readonly meter: Meter
  /** Times a step, for the metric. */
  readonly timed: <A>(step: 'lint', work: () => Promise<A>) => Promise<A>
  readonly log: Log
  readonly publish: Publish
  readonly nowMs: () => number
  readonly breathe: () => Promise<void>
  readonly save: (record: ConvergeLint) => void
  /** Stores how the converge failed, for `doctor`; null where it succeeded. */
  readonly saveFailure: (failure: ConvergeFailure | null) => void
  readonly changes: (range: Incoming, signal: AbortSignal) => Promise<ReadonlyArray<RobotChange>>
}

/**
 * Counts, publishes and records every converge. A record that fails is logged; the next converge records
 * again.
 */
export const recordConverges =
  (ports: ConcludePorts): SyncPorts['concluded'] =>
  async (ended, signal) => {
    count(ports, ended)
    tell(ports, ended)
    tellClosed(ports, ended)
    recordFailure(ports, ended)
    if (isConverged(ended.action)) ports.meter.gauge('svc_sync_behind_commits', {}, 0)
    else if (historyReasons[ended.action] === undefined) return
    try {
      await ports.timed('lint', () => record(ports, ended, signal))
    } catch (error) {
      ports.log.warn('lint_unrecorded', { reason: error instanceof Error ? error.message : String(error) })
    }
  }

/** Ends before the front refuses the request as late. */
const convergeDeadlineMs = syncRoutes['sync.run'].answerWithinMs - 10_000

const minuteMs = 60_000

/**
 * The rest of the 90 s that docs/spec/sync.md promises is for a git that ends slowly, and for counting what waits.
 */
export const convergeMsMax = 85_000

const askSync = (
  door: Ref<RepositorySyncMessage>,
  deadlineMs: number,
  tag: SyncRequest['_tag'] = 'Sync',
): Promise<Either<AskFailure, SyncAnswer>> =>
  ask<RepositorySyncMessage, SyncAnswer>(
    door,
    (replyTo: ReplyTo<SyncAnswer>): SyncRequest => ({ _tag: tag, replyTo }),
    deadlineMs,
  )

/** What a converge waits for, and how long it has; empty where none runs. */
const describeWait = (running: HostSync['running'] | undefined, nowMs: number): string => {
  const now = running?.get() ?? null
  if (now === null || now.step === 'lint') return ''
  return ` It waits for ${stepWords[now.step]}, since ${Math.round((nowMs - now.sinceMs) / 1_000)} s.`
}

/** What the actions of a push that failed mean; every other one is a fault of git here. */
const reasons: Readonly<Partial<Record<SyncAction, PushRejection>>> = {
  auth_failed: 'auth',
  push_rejected: 'hook',
  unreachable: 'network',
  timeout: 'network',
}

const rejectionOf = (pushed: Exclude<Pushed, { readonly _tag: 'Pushed' }>): PushRejection => {
  if (pushed._tag !== 'Failed') return pushed._tag === 'Behind' ? 'non_ff' : 'network'
  return reasons[pushed.action] ?? 'other'
}

interface WakingTime {
  readonly monotonicMs: number
  readonly sleptMs: number
}

/** What decides whether this host converges. Git and the configuration are read once, at the start. */
interface SyncFacts {
  readonly isGit: boolean
  /** `server.sync_interval_min` */
  readonly intervalMinutes: number
  /** `server.sync_remote` */
  readonly remote: string
}

const foreignKind = 'obca-zmiana-pliku-robota'

const unaccepted =
  'nic nie jest scalane ani publikowane, dopóki człowiek nie zdecyduje (kronika accept-rewrite).'

/** Why a converge stopped before what a person took out of the history could come back. */
const historyReasons: Readonly<Partial<Record<SyncAction, string>>> = {
  history_rewritten: `Zdalne repozytorium nie ma już historii, którą ten host tam widział; ${unaccepted}`,
  history_purged: `Commity przyniosłyby z powrotem to, co usunięto z historii; ${unaccepted}`,
}

/** Finding about the enactments of a request that a person closed. */
const ofClosed = ({ closed }: EndedConverge): ReadonlyArray<LintFinding> => {
  if (closed === null || closed === undefined) return []
  const { iid, names, blocked } = closed
  const [kind, severity, end] =
    blocked === null
      ? (['cofniete-rozliczenie', 'warning', 'ten host cofnął je i można je wykonać ponownie'] as const)
      : ([
          'niecofniete-rozliczenie',
          'error',
          'ten host nie mógł ich cofnąć i niczego nie publikuje',
        ] as const)
  const reason = `Zlecenie scalenia ${iid} zamknięto bez scalenia, a niosło rozliczenia: ${names.join(', ')}; ${end}.`
  return [{ kind, severity, entity: null, reason, files: [], values: names }]
}

const ofHistory = ({ action }: EndedConverge): ReadonlyArray<LintFinding> => {
  const reason = historyReasons[action]
  return reason === undefined
    ? []
    : [{ kind: 'przepisana-historia', severity: 'error', entity: null, reason, files: [] }]
}

/** Findings of what came in. Where nothing came in, those of the last time are kept. */
const foreignOf = async (
  ports: ConcludePorts,
  incoming: ReadonlyArray<Incoming>,
  signal: AbortSignal,
): Promise<ReadonlyArray<LintFinding>> => {
  if (incoming.length === 0)
    return (ports.lint.get()?.findings ?? []).filter(finding => finding.kind === foreignKind)
  const changes = new Map<string, RobotChange>()
  for (const range of incoming)
    for (const change of await ports.changes(range, signal)) changes.set(change.commit, change)
  return foreignChanges([...changes.values()])
}

/** Runs the lint over what is served now and stores it (D35). */
const record = async (ports: ConcludePorts, ended: EndedConverge, signal: AbortSignal): Promise<void> => {
  const loaded = ports.held.get()
  if (loaded === null) return
  const foreign = await foreignOf(ports, ended.run.incoming, signal)
  const sha = loaded.loreHead.commit
  const { snapshot } = loaded.build
  await runWithPauses(formerSessionsInSlices(snapshot), ports.breathe)
  const settled = [...closedReadingFindings(snapshot), ...batchReadingFindings(snapshot)]
  const besides = [
    ...ofHistory(ended),
    ...ofClosed(ended),
    ...foreign,
    ...[...ports.fleet().findings, ...settled].map(lintFindingOf),
  ]
  const work = buildLintRecord(snapshot, besides, instantOf(ports.nowMs()), sha)
  const lint = await runWithPauses(work, ports.breathe)
  ports.save(lint)
  ports.lint.set(lint)
  ports.publish('lint:recorded', { sha, errors: lint.stats.errors, warnings: lint.stats.warnings })
}

const count = ({ meter }: ConcludePorts, { run, action }: EndedConverge): void => {
  meter.count('svc_sync_runs_total', { trigger: run.trigger, result: action })
  meter.observe('svc_sync_attempts', {}, run.attempt)
  meter.count('svc_sync_conflicts_total', { outcome: 'parked' }, run.parked.length)
  meter.count('svc_sync_conflicts_total', { outcome: 'resolved' }, run.resolved)
}

/** Reports enactments that were taken back in this converge, and those that could not be. */
const tellClosed = ({ publish, log }: ConcludePorts, { closed }: EndedConverge): void => {
  if (closed === null || closed === undefined || (!closed.isMade && closed.blocked === null)) return
  const { iid: mrIid, names, blocked } = closed
  publish('enactment:reversed', { mrIid, names, blocked })
  log.warn(blocked === null ? 'enactments_taken_back' : 'enactments_kept', { mrIid, names, reason: blocked })
}

const tell = ({ publish, log }: ConcludePorts, { run, action, detail, head, sent }: EndedConverge): void => {
  for (const { ref, commit, files, reason } of run.parked) {
    publish('sync:parked', { ref, commit, files, reason })
    log.warn('sync_parked', { ref, commit, files })
  }
  if (!isConverged(action)) {
    publish('sync:failed', { action, detail: detail ?? '' })
    log.warn('sync_failed', { action, reason: detail })
    return
  }
  if (run.received > 0) log.info('pulled', { commits: run.received, merged: run.merged, commit: head })
  if (sent > 0) log.info('pushed', { commits: sent, commit: head })
  if (run.received > 0 || sent > 0)
    publish('sync:converged', { action, commit: head, incoming: run.received, outgoing: sent })
}

const recordFailure = (
  { log, nowMs, saveFailure }: ConcludePorts,
  { action, detail }: EndedConverge,
): void => {
  try {
    saveFailure(isConverged(action) ? null : { at: instantOf(nowMs()), action, detail })
  } catch (error) {
    log.warn('converge_unrecorded', { reason: error instanceof Error ? error.message : String(error) })
  }
}

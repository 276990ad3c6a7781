import * as t from 'io-ts'
import { CommitId } from '#protocol/atoms.js'
import type { PublishMode } from '#protocol/host/discovery.js'
import { PublishRequest, SyncAction, type syncTriggers } from '#protocol/host/sync.js'
import { after, type Moment, type Step, stay } from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyTo } from '#src/kernel/actor/ref.js'

/** Commits that came from the remote: those of `to` that `from` does not have. */
const Incoming = t.type({ from: CommitId, to: CommitId }, 'Incoming')
export type Incoming = t.TypeOf<typeof Incoming>

const text = t.string
const texts = t.readonlyArray(t.string)

const ParkedNote = t.type({ ref: text, commit: CommitId, files: texts, reason: text })
export type ParkedNote = t.TypeOf<typeof ParkedNote>

/** What one attempt did before it ended, whatever the outcome. */
const Done = {
  received: t.number,
  incoming: t.union([Incoming, t.null]),
  merged: t.boolean,
  resolved: t.number,
  parked: t.union([ParkedNote, t.null]),
}

/**
 * A request that a person closed, and the enactments that it had: the ids of their rows. `blocked`: why this host does
 * not take them back, and publishes nothing; `isMade`: it took them back in this attempt, otherwise earlier.
 */
const ClosedRequest = t.type({
  iid: t.number,
  names: texts,
  isMade: t.boolean,
  blocked: t.union([text, t.null]),
})
export type ClosedRequest = t.TypeOf<typeof ClosedRequest>

/** One attempt: fetch, integrate, publish. */
export const ConvergeOutcome = t.union([
  t.type({
    ...Done,
    _tag: t.literal('Reached'),
    head: CommitId,
    sent: t.number,
    unpublished: t.number,
    /** The request of mode `mr`, and what it waits for; null where nothing waits. */
    request: t.union([PublishRequest, t.null]),
    detail: t.union([text, t.null]),
    closed: t.union([ClosedRequest, t.null]),
  }),
  t.type({
    ...Done,
    _tag: t.literal('Beaten'),
    by: t.keyof({ gate: null, remote: null, silence: null }),
    detail: text,
  }),
  t.type({ ...Done, _tag: t.literal('Stopped'), action: SyncAction, detail: text }),
])
export type ConvergeOutcome = t.TypeOf<typeof ConvergeOutcome>
export type ReachedOutcome = Extract<ConvergeOutcome, { readonly _tag: 'Reached' }>

const instant = t.type({ nowMs: t.number, monotonicMs: t.number })

/**
 * Commits here that the remote is not known to have; null before its branch was ever fetched, or without a
 * branch here.
 */
const Unpublished = t.union([t.number, t.null])

/** What is known of the sync now: the one source of `GET /sync`, `/health` and the gate's SyncStale arm. */
export const SyncReport = t.type(
  {
    enabled: t.boolean,
    remote: t.union([text, t.null]),
    lastOk: t.union([instant, t.null]),
    lastAction: t.union([SyncAction, t.null]),
    lastDetail: t.union([text, t.null]),
    head: t.union([CommitId, t.null]),
    unpublished: Unpublished,
    request: t.union([PublishRequest, t.null]),
    parked: t.readonlyArray(t.type({ ref: text, commit: text })),
    /** A new history of the remote that the operator has not accepted here. */
    rewrite: t.union([t.type({ seen: CommitId, tip: t.union([CommitId, t.null]) }), t.null]),
    replaced: t.readonlyArray(t.type({ from: CommitId, to: CommitId })),
  },
  'SyncReport',
)
export type SyncReport = t.TypeOf<typeof SyncReport>

export type SyncAnswer =
  | { readonly _tag: 'Disabled' }
  | { readonly _tag: 'Converged'; readonly report: SyncReport }

/** Converges now; answered by a converge that begins after this message arrives. */
const Sync = t.type({ _tag: t.literal('Sync'), replyTo: replyTo<SyncAnswer>() })
/** As `Sync`, and takes a history that the remote was given since this host saw it last. */
const Accept = t.type({ _tag: t.literal('Accept'), replyTo: replyTo<SyncAnswer>() })
/** The branch of this host is at a commit; in mode push it is published soon. */
const Wrote = t.type({ _tag: t.literal('Wrote'), commit: CommitId })
/** Converges soon, because another host says that the remote has news; at most once in 5 s. */
const Announced = t.type({ _tag: t.literal('Announced') })
/** To self: the time of an announced converge has come. */
const AnnounceDue = t.type({ _tag: t.literal('AnnounceDue') })
const Tick = t.type({ _tag: t.literal('Tick') })
const Early = t.type({ _tag: t.literal('Early') })
const Retry = t.type({ _tag: t.literal('Retry') })
const Count = t.type({ _tag: t.literal('Count') })
const Counted = t.type({ _tag: t.literal('Counted'), unpublished: Unpublished })
/** What the refs of this host hold. */
const { parked, rewrite, replaced } = SyncReport.props
const held = { parked, rewrite, replaced, unpublished: Unpublished }
const Inspected = t.type({
  _tag: t.literal('Inspected'),
  exists: t.boolean,
  address: t.union([text, t.null]),
  ...held,
})
const AttemptEnded = t.type({ _tag: t.literal('AttemptEnded'), outcome: ConvergeOutcome, ...held })

export const RepositorySyncMessage = t.union(
  [Sync, Accept, Wrote, Announced, AnnounceDue, Tick, Early, Retry, Count, Counted, Inspected, AttemptEnded],
  'RepositorySyncMessage',
)
export type RepositorySyncMessage = t.TypeOf<typeof RepositorySyncMessage>
export type SyncRequest = t.TypeOf<typeof Sync> | t.TypeOf<typeof Accept>
export type WroteNote = t.TypeOf<typeof Wrote>

export type Trigger = (typeof syncTriggers)[number]

export interface SyncOptions {
  readonly publishMode: PublishMode
  /** 0: sync is off. */
  readonly intervalMs: number
  /** How long all attempts of a converge take together. */
  readonly convergeMsMax: number
}

/** What a converge did over all its attempts. */
export interface ConvergeRun {
  readonly trigger: Trigger
  /** When it began, on the monotonic clock. */
  readonly beganMs: number
  /** Attempts begun. */
  readonly attempt: number
  readonly received: number
  readonly merged: boolean
  readonly resolved: number
  readonly incoming: ReadonlyArray<Incoming>
  readonly parked: ReadonlyArray<ParkedNote>
  readonly askers: ReadonlyArray<SyncAsker>
  /** Whether one of the askers accepts a rewrite. */
  readonly accepts: boolean
}

/** The outcome of a converge. */
export interface EndedConverge {
  readonly run: ConvergeRun
  readonly action: SyncAction
  readonly detail: string | null
  readonly head: CommitId | null
  readonly sent: number
  /** The request of mode `mr`; null where no commit waits for one. Absent: not known. */
  readonly request?: PublishRequest | null
  readonly closed?: ClosedRequest | null
}

/**
 * `later` are askers that wait for the next converge; `accepts`: one of them accepts a rewrite. `wrote` is the last
 * commit made here that is not known to be published. `counting`: the unpublished commits are counted soon.
 * `failures`: converges in a row that did not do everything that their mode asks. `announced`: when the last
 * announced converge began, on the monotonic clock, and whether another one is due. `polls`: converges in a row that
 * left the same commit waiting for its request.
 */
export interface State {
  readonly report: SyncReport
  readonly run: ConvergeRun | null
  readonly later: ReadonlyArray<SyncAsker>
  readonly accepts: boolean
  readonly wrote: CommitId | null
  readonly counting: boolean
  readonly failures: number
  readonly polls: number
  readonly announced: { readonly lastMs: number | null; readonly isDue: boolean }
}

/**
 * How long an attempt may keep writes waiting: twice as long as the one before, so that a caller who rewrites
 * large files faster than they merge cannot keep this host from converging for ever.
 */
export const holdMsOf = (attempt: number): number => firstHoldMs * 2 ** (attempt - 1)

export const unknown: SyncReport = {
  enabled: false,
  remote: null,
  lastOk: null,
  lastAction: null,
  lastDetail: null,
  head: null,
  unpublished: null,
  request: null,
  parked: [],
  rewrite: null,
  replaced: [],
}

/** A run at its start: nothing received, merged or parked yet. */
export const runOf = (
  trigger: Trigger,
  beganMs: number,
  { later: askers, accepts }: Pick<State, 'later' | 'accepts'>,
): ConvergeRun => ({
  trigger,
  beganMs,
  attempt: 0,
  received: 0,
  merged: false,
  resolved: 0,
  incoming: [],
  parked: [],
  askers,
  accepts,
})

export const addOutcome = (run: ConvergeRun, outcome: ConvergeOutcome): ConvergeRun => ({
  ...run,
  received: run.received + outcome.received,
  merged: run.merged || outcome.merged,
  resolved: run.resolved + outcome.resolved,
  incoming: outcome.incoming === null ? run.incoming : [...run.incoming, outcome.incoming],
  parked: outcome.parked === null ? run.parked : [...run.parked, outcome.parked],
})

/** The end of a run by its last attempt; null: it tries again, for which it has `leftMs`. */
export const endOf = (
  run: ConvergeRun,
  outcome: ConvergeOutcome,
  mode: PublishMode,
  leftMs: number,
): EndedConverge | null => {
  switch (outcome._tag) {
    case 'Reached':
      return {
        run,
        action: successOf(run, outcome, mode),
        detail: outcome.detail,
        head: outcome.head,
        sent: outcome.sent,
        request: outcome.request,
        closed: outcome.closed,
      }
    case 'Beaten':
      return run.attempt < convergeAttemptsMax && leftMs > 0
        ? null
        : { run, action: beatenBy[outcome.by], detail: outcome.detail, head: null, sent: 0 }
    case 'Stopped':
      return { run, action: outcome.action, detail: outcome.detail, head: null, sent: 0 }
  }
}

/** The report with `waits` applied: a successful converge does not hide commits that wait to be published. */
export const reportWaiting = (report: SyncReport, waits: boolean): SyncReport =>
  waits && quietActions.has(report.lastAction) ? { ...report, lastAction: 'push_pending' } : report

/** Whether commits wait here that the mode publishes; also true while their number is unknown. */
export const hasWaiting = (setup: SyncOptions, { report, wrote }: Pick<State, 'report' | 'wrote'>): boolean =>
  setup.publishMode !== 'none' && report.enabled && (wrote !== null || report.unpublished !== 0)

/** A state that knows nothing of what this host and the remote have. */
export const atRest: Omit<State, 'report'> = {
  run: null,
  later: [],
  accepts: false,
  wrote: null,
  counting: false,
  failures: 0,
  polls: 0,
  announced: { lastMs: null, isDue: false },
}

/** Writes within this time are counted together. */
export const countMs = 200
export const earlyMs = 1_000

/**
 * How soon a converge begins before the next tick; null: it does not. A write is published after a second.
 * Commits that wait after a failed converge are tried again after 5 s, then twice as long each time, up to
 * the interval: nothing else may wake the sync when the remote is back. A host that publishes and has no remote
 * looks for one every 30 s. In mode mr it looks at a request that waits, less often each time.
 */
export const earlyAfterMs = (setup: SyncOptions, state: State): number | null => {
  const { report, wrote, failures } = state
  if (failures > 0 && (report.lastAction === 'push_race' || report.lastAction === 'gate_busy'))
    return afterRaceMs
  if (setup.publishMode === 'none') return null
  if (!report.enabled) return Math.min(setup.intervalMs, absentMs)
  if (wrote !== null) return earlyMs
  if (setup.publishMode === 'mr' && failures === 0) return pollAfterMs(setup, state)
  return hasWaiting(setup, state) ? afterFailureMs(setup, failures) : null
}

/**
 * Whether the data here is too old to write on (D34): the last success, or the boot where there was none, is
 * longer ago than `maxAgeMs`; 0: never. All on the monotonic clock.
 */
export const isStale = (
  report: SyncReport | null,
  age: { readonly bootMs: number; readonly nowMs: number; readonly maxAgeMs: number },
): boolean =>
  report?.enabled === true &&
  age.maxAgeMs > 0 &&
  age.nowMs - (report.lastOk?.monotonicMs ?? age.bootMs) > age.maxAgeMs

/**
 * Lets a converge begin now, or when 5 s have passed since the last one that was announced. Announcements that
 * come until then share it.
 */
export const scheduleAnnounced = (
  { intervalMs }: SyncOptions,
  state: State,
  { monotonicMs }: Moment,
): Step<State, never, RepositorySyncMessage> => {
  const { lastMs, isDue } = state.announced
  if (isDue || intervalMs === 0) return stay(state)
  const delayMs = lastMs === null ? 0 : Math.max(0, lastMs + announceMs - monotonicMs)
  return [
    { ...state, announced: { lastMs, isDue: true } },
    [after('announce', delayMs, { _tag: 'AnnounceDue' })],
  ]
}

type SyncAsker = ReplyTo<SyncAnswer>

const convergeAttemptsMax = 6

const firstHoldMs = 5_000

const successOf = (
  run: ConvergeRun,
  { sent, unpublished, request }: ReachedOutcome,
  mode: PublishMode,
): SyncAction => {
  if (run.parked.length > 0) return 'conflict_parked'
  if (mode === 'mr' && unpublished > 0)
    return request?.state === 'closed' ? 'request_closed' : 'mr_waits_for_forge'
  if (run.merged) return 'merged'
  return sent > 0 ? 'pushed' : run.received > 0 ? 'pulled' : 'up_to_date'
}

const beatenBy = { gate: 'gate_busy', remote: 'push_race', silence: 'timeout' } as const

const quietActions: ReadonlySet<SyncAction | null> = new Set(['up_to_date', 'pulled', 'pushed', 'merged'])

const afterRaceMs = 5_000
const absentMs = 30_000

const afterFailureMs = ({ intervalMs }: SyncOptions, failures: number): number =>
  failures === 0 ? earlyMs : Math.min(intervalMs, afterRaceMs * 2 ** Math.min(failures - 1, 20))

const firstPollMs = 2_000

/**
 * The wait for a request: 2 s · 2^polls, up to the interval. One that a person closed waits for the next write, which
 * is no matter of time.
 */
const pollAfterMs = ({ intervalMs }: SyncOptions, { report, polls }: State): number | null => {
  if (report.unpublished === 0 || report.request?.state === 'closed') return null
  return Math.min(intervalMs, firstPollMs * 2 ** Math.min(polls, 20))
}

/** Announcements begin at most one converge in this time (S11). */
const announceMs = 5_000

import * as t from 'io-ts'
import { CommitId, Instant, Tree } from '../atoms.js'
import { Blocker, Mode, PublishMode } from './discovery.js'
import { RequestState } from './forge.js'

/**
 * The result of the last converge: the closed set of `lastAction`. The first group ended with everything
 * fetched, integrated and, in mode `push`, published; the second did not, and says why.
 */
const syncActions = {
  up_to_date: 'Nothing to fetch and nothing to publish.',
  pulled: 'Commits of other hosts were fetched.',
  pushed: 'Own commits were published.',
  merged: 'Commits of others were merged with own ones.',
  conflict_parked: 'As merged; what could not be merged lies under refs/svc/parked/ for a person.',
  push_pending: 'In mode push commits wait here to be published; the push begins within two seconds.',
  mr_waits_for_forge: 'In mode mr the request of this host is open, and the forge has not merged it yet.',
  request_closed: 'In mode mr a person closed the request; the next commit of this host opens another one.',
  auth_failed: 'The remote refused the credentials of this host, or its rights.',
  unreachable: 'The remote cannot be reached, or is not a repository.',
  timeout: 'The remote took too long.',
  transport_refused:
    'The address of the remote is not a file, ssh or https address, nor http of this machine.',
  work_tree_dirty: 'A file that others changed has uncommitted changes here, so nothing was merged.',
  push_rejected: 'The remote rejected the commits, by a hook or a protected branch.',
  push_race: 'Other hosts published first, six times in a row; the next converge tries again.',
  no_common_history: 'The remote holds another history; nothing was merged.',
  shallow_clone: 'The history of this clone is cut off by .git/shallow, so nothing was merged.',
  history_rewritten:
    'The remote no longer has what this host saw there; nothing was merged or published until a person accepts it.',
  history_purged:
    'Commits here or there would bring back what was purged from the history; nothing was merged or published.',
  gate_busy: 'The branch here moved six times in a row, or the write gate did not answer.',
  forge_unanswered: 'In mode mr the forge did not answer, or asks for a pause.',
  forge_refused: 'In mode mr the forge refused a call, or this host has no forge.',
  failed: 'git failed; the detail says how.',
} as const

export type SyncAction = keyof typeof syncActions

const settledActions: ReadonlySet<SyncAction> = new Set([
  'up_to_date',
  'pulled',
  'pushed',
  'merged',
  'conflict_parked',
  'push_pending',
  'mr_waits_for_forge',
  'request_closed',
])

/** Whether the converge did all that its mode asks: only then `lastConvergeOkUtc` moves (S15). */
export const isConverged = (action: SyncAction): boolean => settledActions.has(action)

const unfetchedActions: ReadonlySet<SyncAction> = new Set([
  'auth_failed',
  'unreachable',
  'timeout',
  'transport_refused',
  'history_rewritten',
  'history_purged',
  'failed',
])

/** Whether the converge is known to have fetched the branch, whatever came after. */
export const hasFetched = (action: SyncAction): boolean => !unfetchedActions.has(action)

export const SyncAction = t.keyof(syncActions, 'SyncAction')

const textOrNull = t.union([t.string, t.null])

/**
 * A history that the remote was given since this host saw it last, and what accepting it does here: `commits` are made
 * again on `tip`, and no file version that the rewrite removed (`removed`, by path) is published again.
 */
const RewritePlan = t.type(
  {
    seen: CommitId,
    tip: t.union([CommitId, t.null]),
    commits: t.readonlyArray(t.type({ id: CommitId, subject: t.string })),
    removed: t.readonlyArray(t.string),
    related: t.boolean,
  },
  'RewritePlan',
)

/**
 * The merge request that publishes the commits of this host in mode `mr`. `status` is the last
 * `detailed_merge_status` of the forge, null where it names none.
 */
export const PublishRequest = t.type(
  {
    iid: t.number,
    url: t.string,
    state: RequestState,
    status: t.union([t.string, t.null]),
  },
  'PublishRequest',
)

const Parked = t.readonlyArray(t.type({ ref: t.string, commit: t.string }))

/** The state of a tree other than the lore towards its remote; fields as those of the lore. */
export const TreeSync = t.type(
  {
    tree: Tree,
    enabled: t.boolean,
    stale: t.boolean,
    remote: textOrNull,
    lastConvergeOkUtc: t.union([Instant, t.null]),
    lastAction: t.union([SyncAction, t.null]),
    lastDetail: textOrNull,
    unpublished: t.union([t.number, t.null]),
    parked: Parked,
  },
  'TreeSync',
)
export type TreeSync = t.TypeOf<typeof TreeSync>

/** The fields of `SyncStatus` that every host has. */
export const statusOfLore = t.type({
  enabled: t.boolean,
  git: t.boolean,
  stale: t.boolean,
  remote: textOrNull,
  publishMode: PublishMode,
  intervalMinutes: t.number,
  staleAfterMinutes: t.number,
  lastConvergeOkUtc: t.union([Instant, t.null]),
  lastAction: t.union([SyncAction, t.null]),
  lastDetail: textOrNull,
  unpublished: t.union([t.number, t.null]),
  request: t.union([PublishRequest, t.null]),
  mode: Mode,
  modeReason: textOrNull,
  blocked: t.readonlyArray(Blocker),
  parked: Parked,
})

/**
 * The state of this host towards its remote (A 4.5): the block of `/health`, and what an operator needs to
 * repair it. `mode`, `modeReason` and `blocked` say what keeps it from writing. `unpublished` counts local
 * commits that the remote was not seen to have; null before the remote was ever seen, and while HEAD is on no
 * branch. All of it is about the lore; `trees` has the other trees that this host writes, and is absent without one.
 */
export const SyncStatus = t.intersection(
  [statusOfLore, t.partial({ trees: t.readonlyArray(TreeSync) })],
  'SyncStatus',
)
export type SyncStatus = t.TypeOf<typeof SyncStatus>

/**
 * How a converge ended. Only where it was to accept a rewrite: whether it did (a dry run does not), and the plan as it
 * was before, null where there was nothing to accept.
 */
export const SyncEnded = t.intersection(
  [
    statusOfLore,
    t.partial({
      trees: t.readonlyArray(TreeSync),
      accepted: t.boolean,
      rewrite: t.union([RewritePlan, t.null]),
    }),
  ],
  'SyncEnded',
)
export type SyncEnded = t.TypeOf<typeof SyncEnded>

/** The failure of the last converge; `detail` is as `GET /sync` shows it, without credentials. */
export const ConvergeFailure = t.readonly(
  t.type({ at: Instant, action: SyncAction, detail: t.union([t.string, t.null]) }),
  'ConvergeFailure',
)
export type ConvergeFailure = t.TypeOf<typeof ConvergeFailure>
export type PublishRequest = t.TypeOf<typeof PublishRequest>

/** Why a converge begins: see `svc_sync_runs_total`. */
export const syncTriggers = ['timer', 'manual', 'write', 'announce'] as const

/** Why a push did not arrive; `other` is a failure of git here. */
const pushRejections = ['non_ff', 'auth', 'hook', 'network', 'other'] as const
export type PushRejection = (typeof pushRejections)[number]

/** The metrics of the exchange with the remote. */
export const syncMetrics = {
  svc_sync_runs_total: {
    kind: 'counter',
    labels: ['trigger', 'result'],
    help: 'Converges by how they ended.',
    values: { trigger: syncTriggers, result: Object.keys(syncActions) },
  },
  svc_sync_step_duration_seconds: {
    kind: 'histogram',
    labels: ['step'],
    help: 'Time of one step of a converge: fetch, integrate, push, lint.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    values: { step: ['fetch', 'integrate', 'push', 'lint'] },
  },
  svc_sync_last_success_timestamp_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'End of the last full converge.',
  },
  svc_sync_unpushed_commits: {
    kind: 'gauge',
    labels: [],
    help: 'Commits here that the remote does not have.',
  },
  svc_sync_behind_commits: {
    kind: 'gauge',
    labels: [],
    help: 'Commits of the remote that were fetched and are not in the branch here yet.',
  },
  svc_intents_pending: {
    kind: 'gauge',
    labels: ['kind'],
    help: 'Accepted and not yet in origin: landing (not on the branch yet), publishing (commits to publish).',
    values: { kind: ['landing', 'publishing'] },
  },
  svc_sync_attempts: {
    kind: 'histogram',
    labels: [],
    help: 'Attempts of a converge until it ended.',
    buckets: [1, 2, 3, 4, 6, 8],
  },
  svc_sync_push_attempts: {
    kind: 'histogram',
    labels: [],
    help: 'Pushes in a row until one arrived.',
    buckets: [1, 2, 3, 4, 6, 8],
  },
  svc_sync_push_rejections_total: {
    kind: 'counter',
    labels: ['reason'],
    help: 'Pushes that did not arrive, or of which that is not known.',
    values: { reason: pushRejections },
  },
  svc_sync_conflicts_total: {
    kind: 'counter',
    labels: ['outcome'],
    help: 'Files that the text merge could not merge: merged by block and row, or parked.',
    values: { outcome: ['parked', 'resolved'] },
  },
  svc_sync_parked_refs: { kind: 'gauge', labels: [], help: 'Parked commits that wait for a person.' },
} as const

/** The commands of git that a host runs; `other` is a command that is missing here. */
export const gitCommands = [
  'blame',
  'cat-file',
  'check-attr',
  'commit-tree',
  'config',
  'count-objects',
  'diff',
  'diff-index',
  'diff-tree',
  'fetch',
  'for-each-ref',
  'gc',
  'hash-object',
  'log',
  'ls-remote',
  'ls-tree',
  'merge-base',
  'merge-file',
  'merge-tree',
  'push',
  'read-tree',
  'remote',
  'repack',
  'rev-list',
  'rev-parse',
  'show',
  'symbolic-ref',
  'update-index',
  'update-ref',
  'write-tree',
  'other',
] as const
export type GitCommand = (typeof gitCommands)[number]

/**
 * How a process of git ended: exit code 0; exit code 1, by which many commands answer no; another code; by a signal,
 * such as that of our time limit; or not started at all.
 */
const gitResults = ['ok', 'exit_1', 'failed', 'killed', 'not_started'] as const
export type GitProcessResult = (typeof gitResults)[number]

/** Which lock of git was removed; `ref` is that of any ref, `log` of its reflog, `objects` of the commit graph. */
export const gitLocks = ['index', 'head', 'ref', 'log', 'packed_refs', 'gc', 'objects'] as const
export type GitLock = (typeof gitLocks)[number]

/** The metrics of the processes of git, and of what they leave when they are killed. */
export const gitMetrics = {
  svc_git_commands_total: {
    kind: 'counter',
    labels: ['command', 'result'],
    help: 'Processes of git that ended, by command and exit.',
    values: { command: gitCommands, result: gitResults },
  },
  svc_git_command_duration_seconds: {
    kind: 'histogram',
    labels: ['command'],
    help: 'Time from the start of a process of git to its end; a cat-file lives for many questions.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    values: { command: gitCommands },
  },
  svc_git_stale_locks_removed_total: {
    kind: 'counter',
    labels: ['lock'],
    help: 'Locks of git that a killed process of this host left, and that the host removed or took over.',
    values: { lock: gitLocks },
  },
  svc_git_recoveries_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Writes that a crash left unfinished: found on the branch (intent_found), or not made (intent_lost).',
    values: { kind: ['intent_found', 'intent_lost'] },
  },
} as const

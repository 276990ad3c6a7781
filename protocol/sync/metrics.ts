import { syncActions } from './action.js'

/** Why a converge begins: see `svc_sync_runs_total`. */
export const syncTriggers = ['timer', 'manual', 'write', 'announce'] as const

/** Why a push did not arrive; `other` is a failure of git here. */
export const pushRejections = ['non_ff', 'auth', 'hook', 'network', 'other'] as const
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

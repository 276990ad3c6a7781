import * as t from 'io-ts'

/**
 * The result of the last converge: the closed set of `lastAction`. The first group ended with everything
 * fetched, integrated and, in mode `push`, published; the second did not, and says why.
 */
export const syncActions = {
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

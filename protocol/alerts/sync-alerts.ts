import { type AlertTable, alertQuery, queryWindow, threshold } from './alert.js'

/** The alerts of the exchange with the remote. */
export const syncAlerts = {
  KronikaSyncOld: {
    severity: 'critical',
    query: alertQuery`time() - (${'svc_sync_last_success_timestamp_seconds'} > 0) > ${threshold(2_700)}`,
    holdSeconds: 0,
    summary: 'The last full converge ended more than 45 minutes ago.',
    means:
      'The host serves an old lore, and its own commits may be nowhere else. When the age ' +
      'reaches `server.sync_max_age_min`, 60 minutes unless set, the gate closes and writes are ' +
      'refused as `SyncStale`.',
    look: [
      '`GET /sync`: `lastAction` and `lastDetail` of the last converge.',
      '`svc_sync_runs_total` ' + 'by `result`.',
    ],
    act: [
      'Correct what `lastDetail` names (network, address, rights), then `POST /sync`.',
      'If a person must merge first, see [something was ' +
        'parked](../howto/operate/when-a-host-refuses-writes.md#something-was-parked).',
    ],
  },
  KronikaSyncNeverDone: {
    severity: 'critical',
    query: alertQuery`${'svc_sync_last_success_timestamp_seconds'} == 0
      and on (job, instance) sum by (job, instance) (${'svc_sync_runs_total'}) > 0`,
    holdSeconds: 900,
    summary: 'The host has a remote and has never finished a converge with it.',
    means: 'The host serves the lore that its checkout had, and its own commits are nowhere else.',
    look: ['`GET /sync`: `lastAction` and `lastDetail`.', '`kronika doctor --repo DIR` on the machine.'],
    act: ['Correct the address of the remote or the credentials of git, then `POST /sync`.'],
  },
  KronikaHistoryRewritten: {
    severity: 'critical',
    query: alertQuery`sum by (job, instance, result) (
      increase(${'svc_sync_runs_total'}{result=~"history_rewritten|history_purged"}${queryWindow(1_800)})) > 0`,
    holdSeconds: 0,
    summary:
      'The remote was given another history ({{ $labels.result }}), and a host does not follow it by itself.',
    means:
      '`history_rewritten`: the remote no longer has what this host saw there. `history_purged`: commits would ' +
      'bring back a file that was purged. The host merges and publishes nothing, so that nothing comes back; its ' +
      'writes go on until `server.sync_max_age_min`.',
    look: [
      '`GET /sync`: `blocked` and `lastDetail`.',
      '`kronika accept-rewrite --repo DIR`, which changes nothing.',
    ],
    act: [
      'Where the rewrite was meant, go on as [purge something from ' +
        'history](../howto/fleet/purge-from-history.md) says.',
      'If the rewrite was a mistake, push the old history back; the host goes on by itself.',
    ],
  },
  KronikaParkedRefs: {
    severity: 'warning',
    query: alertQuery`${'svc_sync_parked_refs'} > 0`,
    holdSeconds: 0,
    summary: 'Changes of this host were left out of a merge and wait for a person.',
    means:
      'Two hosts, or a host and a person, changed the same row. One side is in the branch; the ' +
      'other is kept under `refs/svc/parked/` and nothing of it is lost. So is the branch as it was before ' +
      '`kronika accept-rewrite`.',
    look: ['`GET /sync`: `parked` lists the refs.'],
    act: [
      'Compare and decide as [something was ' +
        'parked](../howto/operate/when-a-host-refuses-writes.md#something-was-parked) says; the ' +
        'alert ends when the ref is deleted and the host has converged.',
    ],
  },
  KronikaIntentsPending: {
    severity: 'warning',
    query: alertQuery`sum by (job, instance) (${'svc_intents_pending'}) > 0`,
    holdSeconds: 1_800,
    summary:
      '{{ $value }} accepted writes and commits of this host have not reached the remote for 30 minutes.',
    means:
      'The writes are on the disk of this host alone. If the disk is lost, they are lost, and no ' +
      'other host serves them.',
    look: [
      '`svc_intents_pending` by `kind`: `landing` is a write that a crash or a full disk left half made.',
      '`GET /sync`: `publishMode`, `lastAction` and `lastDetail`.',
      'The protection of the branch at the forge: the host pushes a plain fast-forward. Where it is to stay, use ' +
        '[mode `mr`](../howto/operate/publish-by-merge-requests.md).',
    ],
    act: [
      '`landing`: look at the log for `writes_refused`, and start the host again: the start ends what was left.',
      'In mode `push`, correct what `lastDetail` names, then `POST /sync`.',
      'In mode `mr`, look at `request` of `GET /sync`: the commits wait until the forge ' +
        'merges it ([sync](../spec/sync.md#mr-ends)).',
      'In mode `none` the host pushes nothing: push the branch from the checkout, or leave this rule out.',
    ],
  },
} as const satisfies AlertTable

import type { MetricName, metrics } from '#protocol/metric.js'

/** A template tag. The series are names of the table of metrics, so that a wrong name does not compile. */
export const alertQuery = (
  texts: TemplateStringsArray,
  ...parts: ReadonlyArray<SeriesName | QueryTime>
): AlertQuery => ({ texts: [...texts], parts })

export const queryWindow = (windowSeconds: number): QueryTime => ({ windowSeconds })

export const threshold = (thresholdSeconds: number): QueryTime => ({ thresholdSeconds })

/** The alerts of one host: its actors, its threads and its gate. */
const hostAlerts = {
  KronikaHostDown: {
    severity: 'critical',
    query: alertQuery`up{job="kronika"} == 0`,
    holdSeconds: 120,
    summary: 'Prometheus cannot scrape {{ $labels.instance }}.',
    means:
      'The process of the host has ended, hangs, or its operations listener has another port. No other alert of ' +
      'the host can fire meanwhile. A whole machine that is gone sends no sample at all: where each machine ' +
      'sends its own samples on, add a rule with `absent(up{job="kronika",instance="TOWN"})` for each host.',
    look: [
      'The last lines of the log, and the exit code of the process ([exit codes](../reference/exit-codes.md)).',
      '`kronika doctor` in the checkout.',
    ],
    act: [
      'Start the host again. Codes 64, 69, 74 and 75 need a person first: the log says what to mend.',
      'Where the apex does not come back, [another host takes over](../howto/fleet/when-the-apex-is-dead.md).',
    ],
  },
  KronikaWritesRefused: {
    severity: 'critical',
    query: alertQuery`${'svc_write_gate_open'} == 0
      unless on (job, instance) ${'svc_fleet_role'}{role="replica"} == 1`,
    holdSeconds: 60,
    summary: 'The arm {{ $labels.arm }} of the write gate is closed.',
    means:
      'The host answers reads and refuses every write. A replica of a fleet refuses writes by ' +
      'its role and raises no alert.',
    look: ['`GET /health`: `mode` and `blocked`.', 'The log: `writes_refused` with the reason.'],
    act: [
      '[When a host refuses writes](../howto/operate/when-a-host-refuses-writes.md) has a row for ' +
        'each reason.',
    ],
  },
  KronikaActorStuck: {
    severity: 'critical',
    query: alertQuery`${'svc_actor_state'}{state="stuck"} == 1`,
    holdSeconds: 0,
    summary: 'The actor {{ $labels.actor }} is stuck.',
    means:
      'An effect of the actor has taken longer than it may, and its mailbox waits behind it. ' +
      'What the actor does for the host does not happen.',
    look: [
      'The table of actors in [the architecture](../architecture.md): what the actor does.',
      'The log of the actor; load, memory and disk of the machine.',
    ],
    act: [
      'Start the host again: accepted work is on the disk and goes on.',
      'Report it with the log if the machine had processor time and a working disk. It is a defect.',
    ],
  },
  KronikaActorRestarts: {
    severity: 'warning',
    // More than 5 restarts of an actor in a minute are above its budget, so a crash loop never shows 0.1 a second for
    // 5 minutes: the group above it restarts, and the process ends. What it does show is a handful of restarts.
    query: alertQuery`sum by (job, instance) (increase(${'svc_actor_restarts_total'}${queryWindow(900)})) > 4`,
    holdSeconds: 0,
    summary: 'Actors restarted more than four times within 15 minutes.',
    means:
      'A fault repeats itself. When the budget of a supervisor is spent, the supervisor above ' +
      'restarts the group, and at last the process ends with 70.',
    look: [
      '`svc_actor_restarts_total` by `actor` and `cause`; `svc_supervisor_restarts_in_window`.',
      'The log of that actor: the error and its stack.',
    ],
    act: [
      'Remove what the error names, such as a full disk.',
      'Otherwise report the error with its stack. It is a defect.',
    ],
  },
  KronikaInvariantViolated: {
    severity: 'critical',
    query: alertQuery`increase(${'svc_invariant_violations_total'}${queryWindow(1_800)}) > 0`,
    holdSeconds: 0,
    summary: 'A check of the invariant {{ $labels.invariant }} failed within the last 30 minutes.',
    means:
      'The daemon found itself in a state that must never occur. It is a defect of the daemon, and data may be ' +
      'affected. The alert ends 30 minutes after the last failed check.',
    look: [
      '[Invariants](../spec/metrics.md#invariants): what the invariant says and when it is checked.',
      'The log of that time: `journal_out_of_sequence` (`S27`), the fault of an actor (`S32`), the converge (`S14`).',
    ],
    act: [
      'Keep a copy of `.svc/state/` and of the log, and report both. It is a defect.',
      'Start the host again. If the check fails again, stop the host and let another host of the fleet take over.',
    ],
  },
  KronikaReaderThreadsMissing: {
    severity: 'warning',
    query: alertQuery`${'svc_reader_threads_live'} < ${'svc_reader_threads'}`,
    holdSeconds: 300,
    summary: 'Fewer reader threads answer than are wanted.',
    means: 'Reads are slower: the other threads answer, and without any thread the main thread does.',
    look: [
      '`svc_reader_ends_total` by `cause`.',
      'The log: `reader_ended`, `reader_poison`, ' + '`reader_overdue`.',
    ],
    act: [
      '[When a reader thread ends](../howto/operate/when-a-reader-thread-ends.md) has a row for ' +
        'each cause.',
    ],
  },
} as const satisfies AlertTable

/** The alerts of a fleet. The hosts of a fleet are the targets of one scrape job. */
const fleetAlerts = {
  KronikaFleetNoPrimary: {
    severity: 'critical',
    query: alertQuery`sum by (job) (${'svc_fleet_role'}{role=~"primary|stepping-down"}) == 0
      and sum by (job) (${'svc_fleet_role'}{role="replica"}) > 0`,
    holdSeconds: 300,
    summary: 'No host of the fleet has the role primary.',
    means: 'The replicas answer reads, and every write of the fleet is refused.',
    look: [
      '`kronika fleet status --repo DIR` on a host that runs: the apex, its misses, and what ' +
        'refuses a takeover.',
    ],
    act: [
      'Start the apex again, or let a takeover happen: [when the apex is ' +
        'dead](../howto/fleet/when-the-apex-is-dead.md).',
    ],
  },
  KronikaFleetTwoPrimaries: {
    severity: 'critical',
    query: alertQuery`sum by (job) (${'svc_fleet_role'}{role=~"primary|stepping-down"}) > 1`,
    holdSeconds: 300,
    summary: '{{ $value }} hosts of the fleet have the role primary.',
    means:
      'A host has not read the newest `.svc/fleet.json`. What two hosts write meanwhile is ' +
      'merged, or parked where both changed a row.',
    look: ['`kronika fleet status --repo DIR` on each of them: `apex`, and the age of the last sync.'],
    act: [
      'Let the host with the older topology converge: `POST /sync`, or `kronika fleet announce`.',
      'If it cannot reach the remote, stop it: [when the apex is ' +
        'dead](../howto/fleet/when-the-apex-is-dead.md).',
    ],
  },
  KronikaPeerDark: {
    severity: 'warning',
    query: alertQuery`${'svc_fleet_peer_consecutive_misses'} >= 3`,
    holdSeconds: 0,
    summary: 'The town {{ $labels.town }} did not answer three probes in a row.',
    means:
      'This host cannot reach the town. If the town is the apex, the candidates ask for a ' +
      'takeover after `fleet.auto_failover.after_sweeps` misses.',
    look: [
      '`GET /fleet/peers` of two hosts: if one of them reaches the town, a path is cut and the ' +
        'town is alive.',
      '`svc_fleet_probes_total` by `result`: why the probes fail.',
    ],
    act: [
      'Start the town again or mend the path: [is it ' +
        'dead?](../howto/fleet/when-the-apex-is-dead.md#is-it-dead)',
    ],
  },
  KronikaPeerLate: {
    severity: 'warning',
    query: alertQuery`increase(${'svc_fleet_late_answers_total'}${queryWindow(1_800)}) > 0`,
    holdSeconds: 0,
    summary: 'The town {{ $labels.town }} answered a probe too late within the last 30 minutes.',
    means:
      'The town is alive and took longer than a sweep waits: 15 s, or the interval where that is ' +
      'shorter. Each late answer takes the misses back, so this host does not take the town for dead; ' +
      'an answer that is more than 15 s late would be too late for that. Its players wait as long.',
    look: [
      '`GET /fleet/peers` of two hosts: `late`, and `elapsedMs` of the probe. If every town is late for ' +
        'one host alone, that host or its network is slow.',
      '`lagMs` in `GET /health` of the town, and the load of its machine.',
    ],
    act: [
      'Find what keeps the town busy: its log has the long requests. A machine that swaps, or shares its ' +
        'processor, needs more of it.',
    ],
  },
  KronikaPeerFlapping: {
    severity: 'warning',
    query: alertQuery`${'svc_fleet_peer_flapping'} == 1`,
    holdSeconds: 0,
    summary: 'The town {{ $labels.town }} answers only some of its probes.',
    means:
      'The last ten probes of the town changed at least five times between success and failure. The misses never add ' +
      'up, so no host takes over from it, and its players meet the same failures.',
    look: [
      '`svc_fleet_probes_total` by `result`: why the others fail. `frozen`: a cache before the town answers for it.',
      '`GET /fleet/peers` of two hosts: `flapping` on one of them alone is a path, on both the town or its proxy.',
    ],
    act: [
      'Mend the path or the proxy, or start the town again; if it is the apex and stays so, ' +
        '[take over by hand](../howto/fleet/when-the-apex-is-dead.md#take-over).',
    ],
  },
  KronikaTakeoverFailed: {
    severity: 'warning',
    query: alertQuery`delta(${'svc_fleet_takeover_jobs'}{status="failed"}${queryWindow(1_800)}) > 0`,
    holdSeconds: 0,
    summary: 'A takeover of this host failed within the last 30 minutes.',
    means:
      'A takeover job of this host ended as failed, and the fleet may have no apex. The alert ends ' +
      '30 minutes after the last failure.',
    look: [
      '`kronika fleet status --repo DIR`: the last takeover and its failure.',
      '`superseded`, `apex_answers` and `vetoed` need no action: the topology changed, the apex ' +
        'is alive, or a person decided.',
    ],
    act: ['[When the apex is dead](../howto/fleet/when-the-apex-is-dead.md) has a row for each failure.'],
  },
  KronikaClockSkew: {
    severity: 'warning',
    query: alertQuery`abs(${'svc_fleet_peer_skew_seconds'}) - ${'svc_fleet_peer_skew_error_seconds'} > 2`,
    holdSeconds: 600,
    summary: 'The clocks of this host and of {{ $labels.town }} differ by more than two seconds.',
    means:
      'One of the clocks is wrong. A wrong clock rejects sign-ins and interactions of the chat, ' +
      'whose age is compared with it.',
    look: ['`svc_fleet_peer_skew_seconds` of every host: the host that differs from all others is wrong.'],
    act: ['Correct the time service of that machine (`timedatectl`, `chronyc tracking`).'],
  },
} as const satisfies AlertTable

/** The alerts of the exchange with the remote. */
const syncAlerts = {
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

/** The alerts of interactions and of messages to the chat. */
const chatAlerts = {
  KronikaDispatchWaiting: {
    severity: 'critical',
    query: alertQuery`time() - (${'svc_dispatch_oldest_item_timestamp_seconds'} > 0) > ${threshold(60)}`,
    holdSeconds: 0,
    summary: 'An interaction of kind {{ $labels.kind }} has waited for more than a minute.',
    means:
      'A player waits for the answer to an interaction. The host tries it again until [14 ' +
      'minutes](../spec/dispatch.md#l4) after its acceptance, and then it fails.',
    look: [
      '`GET /health`: `dispatch` counts the interactions of each kind, `blocked` what keeps the ' +
        'gate closed (`config_differs`, `config_broken` and `address_changed` in it close nothing).',
      '`svc_dispatch_queue_items`: one item that waits is an attempt that fails again and again, ' +
        'many are a queue that does not move.',
      'The log: `dispatch_disk_refused`, and `restarting` of the actor `dispatch-queue`.',
    ],
    act: [
      'A close or a report waits while the gate is closed: [open ' +
        'it](../howto/operate/when-a-host-refuses-writes.md).',
      'After `dispatch_disk_refused`, make room on the disk of the state area. The queue tries ' +
        'every 5 seconds.',
      'Otherwise wait for the end: an interaction that fails has its reason in the log as ' +
        '`dispatch_failed`.',
    ],
  },
  KronikaDispatchFailed: {
    severity: 'warning',
    query: alertQuery`increase(${'svc_dispatch_enactments_total'}{result="failed"}${queryWindow(1_800)}) > 0`,
    holdSeconds: 0,
    summary: 'An interaction of kind {{ $labels.kind }} failed within the last 30 minutes.',
    means:
      'The host gave up an interaction after its last attempt, or after 14 minutes, and keeps it ' +
      'with the reason. A player asked for something that was not done. The alert ends 30 ' +
      'minutes after the last failure.',
    look: ['The log: `dispatch_failed` has the id, the kind and the reason.'],
    act: [
      'Remove the cause that the reason names.',
      'Ask the player to send the command again: it is a new interaction. The host does not ' +
        'repeat one that has failed.',
    ],
  },
  KronikaChatCourierShut: {
    severity: 'critical',
    query: alertQuery`${'svc_chat_courier_shut_until_timestamp_seconds'} > time()`,
    holdSeconds: 0,
    summary: 'The chat courier makes no calls ({{ $labels.reason }}).',
    means:
      'Messages of the host to the chat wait, and so does every other call with the bot token. `token`: the ' +
      'platform refused the bot token. `budget`: 1,000 calls within ten minutes were refused. ' +
      'Answers to interactions have a courier of their own and are not held.',
    look: [
      'The log: `chat_token_refused`, `chat_invalid_budget_spent`, and the `chat_refused` and `chat_held` before it.',
      '`GET /chat/deliveries`: `detail` of the messages that wait ([how to ' +
        'ask](../howto/operate/when-messages-wait.md#ask)).',
    ],
    act: [
      '`token`: set `SVC_CHAT_BOT_TOKEN`, or its file, to the token that the platform shows for ' +
        'the bot, and start the host again.',
      '`budget`: correct the rights of the bot in the channels that `chat_held` names in the log, or ' +
        'find out who else uses its token. The courier makes calls again after at most ten ' +
        'minutes.',
      'More causes are in [when messages wait](../howto/operate/when-messages-wait.md).',
    ],
  },
  KronikaChatOutboxOld: {
    severity: 'warning',
    query: alertQuery`${'svc_chat_outbox_oldest_age_seconds'} > ${threshold(900)}`,
    holdSeconds: 0,
    summary: 'A message to the chat has waited for more than 15 minutes.',
    means:
      'A message is on the disk and not in the chat. It is [refused](../spec/delivery.md#holds) ' +
      'when it has waited for 24 hours.',
    look: [
      'The log: `chat_held` and `chat_unanswered` name the channel that does not go on, with the reason as `detail`.',
      '`GET /chat/deliveries`: `detail` of the messages with status `queued` ([how to ' +
        'ask](../howto/operate/when-messages-wait.md#ask)). It lists the newest 500: older ones are in the log alone.',
      '`svc_outbound_requests_total{target="chat"}` by `code`: what the platform answers.',
    ],
    act: ['[When messages wait](../howto/operate/when-messages-wait.md) has a row for each cause.'],
  },
} as const satisfies AlertTable

/**
 * Every alert by group and name: the one source of the rules of Prometheus, of the table in
 * `docs/spec/metrics.md` and of the runbook, which has a page for each group.
 */
export const alertGroups = {
  host: hostAlerts,
  sync: syncAlerts,
  chat: chatAlerts,
  fleet: fleetAlerts,
} as const

export type AlertGroup = keyof typeof alertGroups
export type AlertName = { readonly [G in AlertGroup]: keyof (typeof alertGroups)[G] }[AlertGroup]

/** An alert of the table with its name and group. */
export interface NamedAlert extends Alert {
  readonly name: string
  readonly group: AlertGroup
}

/** The groups in the order of the table. */
export const alertGroupNames: ReadonlyArray<AlertGroup> = ['host', 'sync', 'chat', 'fleet']

const groupOf = (group: AlertGroup): ReadonlyArray<NamedAlert> =>
  Object.entries<Alert>(alertGroups[group]).map(([name, alert]) => ({ ...alert, name, group }))

/** The alerts in the order of the table. */
export const alerts: ReadonlyArray<NamedAlert> = alertGroupNames.flatMap(groupOf)

/** The name of a series: that of a metric, with a suffix where the metric is a histogram. */
export type SeriesName = { readonly [K in MetricName]: SeriesOf<K> }[MetricName]

/** A time in a query: a threshold is a number of seconds, a window a range such as `[30m]`. */
export type QueryTime = { readonly thresholdSeconds: number } | { readonly windowSeconds: number }

/** A PromQL expression: its texts, and between each two of them a series or a time. */
export interface AlertQuery {
  readonly texts: ReadonlyArray<string>
  readonly parts: ReadonlyArray<SeriesName | QueryTime>
}

type SeriesOf<K extends MetricName> = (typeof metrics)[K]['kind'] extends 'histogram'
  ? `${K}_bucket` | `${K}_count` | `${K}_sum`
  : K

/** A rule that Prometheus evaluates over the metrics of a host or a fleet, and its entry in the runbook. */
interface Alert {
  /** `critical`: players or the fleet are affected now. `warning`: a person must look within a day. */
  readonly severity: 'critical' | 'warning'
  /** The alert is pending for each series that the query returns. */
  readonly query: AlertQuery
  /** How long a series must be returned before the alert fires, in seconds. */
  readonly holdSeconds: number
  /** What is the case while the alert fires. `{{ $labels.NAME }}` is a label of the series. */
  readonly summary: string
  /** What the alert means for players and operators. Markdown; a link is relative to `docs/runbook/`. */
  readonly means: string
  /** Where to look, in order. Markdown. */
  readonly look: ReadonlyArray<string>
  /** What to do. Markdown. */
  readonly act: ReadonlyArray<string>
}

/** Alerts by name. */
type AlertTable = Readonly<Record<string, Alert>>

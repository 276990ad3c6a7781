import { dispatchMetrics } from './chat/dispatch-metrics.js'
import { chatMetrics } from './chat/metrics.js'
import { fleetMetrics } from './fleet/metrics.js'
import { tickMetrics } from './tick-metrics.js'

/** A metric that this host exports (METRICS): labels come from closed sets, never from user text. */
export interface Metric {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly labels: ReadonlyArray<string>
  readonly help: string
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: ReadonlyArray<number>
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5]
const turns = [0.0001, 0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 5]
const jobSeconds = [0.05, 0.25, 1, 5, 15, 60, 300]
const bytes = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576]

/** Every metric of the daemon by name: the one source of the registry, the reference and the dashboards. */
export const metrics = {
  svc_build_info: {
    kind: 'gauge',
    labels: ['version', 'schema', 'image'],
    help: 'Constant 1; the labels name the build.',
  },
  svc_http_requests_total: {
    kind: 'counter',
    labels: ['method', 'route', 'code'],
    help: 'Requests finished.',
  },
  svc_http_request_duration_seconds: {
    kind: 'histogram',
    labels: ['method', 'route'],
    help: 'Time to the last byte.',
    buckets: seconds,
  },
  svc_http_requests_in_flight: { kind: 'gauge', labels: [], help: 'Requests open now.' },
  svc_http_request_body_bytes: {
    kind: 'histogram',
    labels: [],
    help: 'Size of accepted bodies.',
    buckets: bytes,
  },
  svc_http_rejected_total: {
    kind: 'counter',
    labels: ['reason'],
    help: 'Requests refused before their handler, and connections refused because the limit was reached.',
  },
  svc_http_handler_errors_total: {
    kind: 'counter',
    labels: ['route'],
    help: 'Unexpected throws, answered 500.',
  },
  svc_write_gate_open: { kind: 'gauge', labels: ['arm'], help: '1 where the arm lets writes pass.' },
  svc_write_gate_refusals_total: {
    kind: 'counter',
    labels: ['arm', 'dry_run'],
    help: 'Writes refused by the gate.',
  },
  svc_write_results_total: {
    kind: 'counter',
    labels: ['result'],
    help: 'Writes by how they ended: committed, unchanged, refused, or dropped because the caller had left.',
  },
  svc_write_batch_writes: {
    kind: 'histogram',
    labels: [],
    help: 'Writes that shared one landing.',
    buckets: [1, 2, 4, 8, 16, 32, 64],
  },
  svc_write_step_seconds: {
    kind: 'histogram',
    labels: ['step'],
    help: 'Time of the steps of a batch: look, land, publish.',
    buckets: seconds,
  },
  svc_write_replans_total: {
    kind: 'counter',
    labels: [],
    help: 'Batches planned again because the branch moved.',
  },
  svc_write_hook_failures_total: {
    kind: 'counter',
    labels: ['hook'],
    help: 'Hooks after a write that failed; the write is kept.',
  },
  svc_git_recoveries_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Writes that a crash left unfinished, by outcome.',
  },
  svc_auth_attempts_total: {
    kind: 'counter',
    labels: ['method', 'result'],
    help: 'Sign-ins and tokens presented, by method and outcome.',
  },
  svc_actor_mailbox_messages: { kind: 'gauge', labels: ['actor'], help: 'Messages in the mailbox now.' },
  svc_actor_mailbox_oldest_age_seconds: {
    kind: 'gauge',
    labels: ['actor'],
    help: 'Age of the oldest waiting message.',
  },
  svc_actor_mailbox_limit_messages: { kind: 'gauge', labels: ['actor'], help: 'Capacity of the mailbox.' },
  svc_actor_mailbox_wait_seconds: {
    kind: 'histogram',
    labels: ['actor'],
    help: 'Time that a message waits in the mailbox.',
    buckets: turns,
  },
  svc_actor_processing_seconds: {
    kind: 'histogram',
    labels: ['actor', 'message'],
    help: 'Time from the start of handling to the end of its effects.',
    buckets: turns,
  },
  svc_actor_messages_total: {
    kind: 'counter',
    labels: ['actor', 'message', 'result'],
    help: 'Messages processed.',
  },
  svc_actor_rejected_total: {
    kind: 'counter',
    labels: ['actor'],
    help: 'Messages refused at a full mailbox.',
  },
  svc_actor_restarts_total: { kind: 'counter', labels: ['actor', 'cause'], help: 'Restarts.' },
  svc_actor_restart_backoff_seconds: {
    kind: 'gauge',
    labels: ['actor'],
    help: 'Delay of the restart under way.',
  },
  svc_actor_state: { kind: 'gauge', labels: ['actor', 'state'], help: '1 for the current state.' },
  svc_actor_dead_letters_total: {
    kind: 'counter',
    labels: ['actor', 'reason'],
    help: 'Messages never delivered.',
  },
  svc_actor_quarantined_total: { kind: 'counter', labels: ['actor'], help: 'Poison messages set aside.' },
  svc_actor_long_turns_total: {
    kind: 'counter',
    labels: ['actor'],
    help: 'Turns of more than 250 ms on the loop.',
  },
  svc_supervisor_state: {
    kind: 'gauge',
    labels: ['supervisor', 'state'],
    help: '1 for the current state.',
  },
  svc_supervisor_restarts_in_window: {
    kind: 'gauge',
    labels: ['supervisor'],
    help: 'Restarts that still count of the child that has spent most of its budget.',
  },
  svc_supervisor_restarts_limit: {
    kind: 'gauge',
    labels: ['supervisor'],
    help: 'Restarts that the budget of that child allows; its supervisor gives up at one more.',
  },
  svc_supervisor_escalations_total: {
    kind: 'counter',
    labels: ['supervisor'],
    help: 'Restart intensities exceeded.',
  },
  svc_events_published_total: { kind: 'counter', labels: ['kind'], help: 'Events given out.' },
  svc_events_lost_total: { kind: 'counter', labels: ['kind'], help: 'Events that were not kept.' },
  svc_events_last_sequence: { kind: 'gauge', labels: [], help: 'Number of the last event.' },
  svc_events_journal_bytes: { kind: 'gauge', labels: [], help: 'Size of the journal.' },
  svc_events_torn_records_total: {
    kind: 'counter',
    labels: [],
    help: 'Torn last records that were cut at boot.',
  },
  svc_events_corrupt_records_total: {
    kind: 'counter',
    labels: [],
    help: 'Lines of the open segment that were found to be no records; they are kept.',
  },
  svc_sse_clients: { kind: 'gauge', labels: [], help: 'Open event streams.' },
  svc_sse_buffered_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Bytes that wait in the sockets of the streams.',
  },
  svc_sse_disconnects_total: { kind: 'counter', labels: ['reason'], help: 'Ends of event streams.' },
  svc_stream_records_total: { kind: 'counter', labels: ['stream'], help: 'Records of the log streams.' },
  svc_stream_lost_total: {
    kind: 'counter',
    labels: ['stream'],
    help: 'Records that the log streams could not keep.',
  },
  svc_jobs: { kind: 'gauge', labels: ['kind', 'status'], help: 'Jobs on record.' },
  svc_job_duration_seconds: {
    kind: 'histogram',
    labels: ['kind', 'result'],
    help: 'Time from the start of a job to its end.',
    buckets: jobSeconds,
  },
  svc_jobs_interrupted_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Jobs found unfinished when the job runner started.',
  },
  svc_search_documents: { kind: 'gauge', labels: ['tier'], help: 'Documents in the index that answers.' },
  svc_search_builds_total: {
    kind: 'counter',
    labels: ['tier', 'result'],
    help: 'Builds and merges of search indexes by how they ended: built, failed, or too early for the lore.',
  },
  svc_search_build_seconds: {
    kind: 'histogram',
    labels: ['tier'],
    help: 'Time from the start of a build to its end.',
    buckets: jobSeconds,
  },
  svc_search_load_seconds: {
    kind: 'histogram',
    labels: ['tier'],
    help: 'Time for a thread to start and load a saved index.',
    buckets: jobSeconds,
  },
  svc_search_troubles_total: {
    kind: 'counter',
    labels: ['tier', 'during'],
    help: 'Saved indexes that were dropped, and threads that ended while loading, building or ranking.',
  },
  svc_search_questions_total: {
    kind: 'counter',
    labels: ['tier', 'result'],
    help: 'Questions of the main thread to a tier by their answer.',
  },
  svc_search_question_seconds: {
    kind: 'histogram',
    labels: ['tier'],
    help: 'Time from a question of the main thread to the answer of the tier.',
    buckets: turns,
  },
  svc_reader_threads: { kind: 'gauge', labels: [], help: 'Reader threads wanted.' },
  svc_reader_threads_live: { kind: 'gauge', labels: [], help: 'Reader threads that can answer.' },
  svc_reader_ends_total: {
    kind: 'counter',
    labels: ['cause'],
    help: 'Reader threads that ended and are replaced.',
  },
  svc_reader_questions_total: {
    kind: 'counter',
    labels: ['result'],
    help: 'Requests brought to the reader threads.',
  },
  svc_reader_question_seconds: {
    kind: 'histogram',
    labels: [],
    help: 'Time from the question to the answer of a reader thread.',
    buckets: turns,
  },
  svc_reader_follow_seconds: {
    kind: 'histogram',
    labels: [],
    help: 'Time for a reader thread to take over a generation.',
    buckets: seconds,
  },
  svc_sync_runs_total: {
    kind: 'counter',
    labels: ['trigger', 'result'],
    help: 'Converges by how they ended.',
  },
  svc_sync_step_duration_seconds: {
    kind: 'histogram',
    labels: ['step'],
    help: 'Time of one step of a converge.',
    buckets: seconds,
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
  svc_sync_attempts: {
    kind: 'histogram',
    labels: [],
    help: 'Attempts of a converge until it ended.',
    buckets: [1, 2, 3, 4, 6, 8],
  },
  svc_sync_conflicts_total: {
    kind: 'counter',
    labels: ['outcome'],
    help: 'Files that the text merge could not merge: merged by block and row, or parked.',
  },
  svc_sync_parked_refs: { kind: 'gauge', labels: [], help: 'Parked commits that wait for a person.' },
  ...fleetMetrics,
  ...dispatchMetrics,
  ...chatMetrics,
  ...tickMetrics,
  svc_auth_key_fetches_total: {
    kind: 'counter',
    labels: ['source', 'result'],
    help: 'Fetches of the keys that sign-in is verified with: of the game, or the chat issuer (jwks).',
  },
  svc_players_resolves_total: {
    kind: 'counter',
    labels: ['result'],
    help: 'Questions for a player by nick or game id, by how they were answered.',
  },
  svc_players_roster_fetches_total: {
    kind: 'counter',
    labels: ['result'],
    help: 'Fetches of the roster of the world that ended: ok, or why they failed.',
  },
  svc_players_roster_fetches_hour: {
    kind: 'gauge',
    labels: [],
    help: 'Fetches of the roster in the last hour, as the budget counts them.',
  },
  svc_outbound_requests_total: {
    kind: 'counter',
    labels: ['target', 'code'],
    help: 'Calls out by the status of their answer; without one by why, such as timeout or network.',
  },
  svc_outbound_rate_limited_total: {
    kind: 'counter',
    labels: ['target', 'scope'],
    help: 'Answers of 429 by whom they hold: user, global or shared.',
  },
  svc_auth_challenges: { kind: 'gauge', labels: [], help: 'Challenges of sign-in outstanding, at most 512.' },
  svc_auth_fleet_epoch: {
    kind: 'gauge',
    labels: [],
    help: 'The published epoch of fleet tokens; 0 where none is published.',
  },
  svc_snapshot_generation: {
    kind: 'gauge',
    labels: [],
    help: 'Generation of the snapshot served; 0 before the first.',
  },
  svc_snapshot_findings: { kind: 'gauge', labels: ['severity'], help: 'Findings of the snapshot served.' },
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof metrics

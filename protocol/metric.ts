import { dispatchMetrics } from './chat/dispatch.js'
import { chatMetrics } from './chat/platform.js'
import { fleetMetrics } from './fleet/metrics.js'
import { eventKinds, logStreams } from './host/events.js'
import { jobKinds } from './host/jobs.js'
import { storeMetrics, tickMetrics, writeMetrics } from './host/metrics.js'
import { outboundMetrics } from './host/outbound.js'
import { gitMetrics, syncMetrics } from './host/sync.js'
import { logFaults } from './transcripts/log-writes.js'

/** A metric that this host exports (METRICS): labels come from closed sets, never from user text. */
export interface Metric {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly labels: ReadonlyArray<string>
  readonly help: string
  /** The values of a label that are a closed set in the code. A counter whose labels all have them begins at 0. */
  readonly values?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: ReadonlyArray<number>
}

const rejectReasons = [
  'auth',
  'route',
  'capability',
  'gate',
  'media_type',
  'body',
  'size',
  'shed',
  'rate',
  'connections',
] as const
const authMethods = ['game', 'chat', 'session', 'fleet', 'peer', 'api', 'named'] as const
const authResults = ['accepted', 'refused', 'not_linked', 'unknown_id', 'unavailable'] as const
const streamEnds = ['client', 'slow', 'shutdown', 'fault', 'revoked'] as const
/** Fewer than elsewhere: each row has a series for each. */
const rowSeconds = [0.005, 0.025, 0.1, 0.5, 1, 5]
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
    buckets: rowSeconds,
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
    values: { reason: rejectReasons },
  },
  svc_http_handler_errors_total: {
    kind: 'counter',
    labels: ['route'],
    help: 'Unexpected throws, answered 500.',
  },
  svc_auth_attempts_total: {
    kind: 'counter',
    labels: ['method', 'result'],
    help: 'Sign-ins and tokens presented, by method and outcome.',
    values: { method: authMethods, result: authResults },
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
  svc_events_published_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Events given out.',
    values: { kind: Object.keys(eventKinds) },
  },
  svc_events_lost_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Events that were not kept.',
    values: { kind: Object.keys(eventKinds) },
  },
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
  svc_sse_disconnects_total: {
    kind: 'counter',
    labels: ['reason'],
    help: 'Ends of event streams.',
    values: { reason: streamEnds },
  },
  svc_stream_records_total: {
    kind: 'counter',
    labels: ['stream'],
    help: 'Records of the log streams.',
    values: { stream: logStreams },
  },
  svc_stream_lost_total: {
    kind: 'counter',
    labels: ['stream'],
    help: 'Records that the log streams could not keep.',
    values: { stream: logStreams },
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
    values: { kind: jobKinds },
  },
  svc_logs_taken_total: {
    kind: 'counter',
    labels: ['result'],
    help: 'Fetches of transcripts by how they ended: taken, or why not.',
    values: { result: ['taken', ...logFaults] },
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
  svc_loop_lag_ms: {
    kind: 'gauge',
    labels: [],
    help: 'The longest pause of the event loop in the last minute, in milliseconds.',
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
  ...writeMetrics,
  ...gitMetrics,
  ...syncMetrics,
  ...storeMetrics,
  ...outboundMetrics,
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

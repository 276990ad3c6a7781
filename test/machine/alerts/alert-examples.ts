import type { AlertName } from '#src/reference/monitoring/alerts.js'

/** What a host or a fleet shows over time, and when its alert fires. The unit is a minute. */
export interface AlertExample {
  /** The values of each series, as promtool writes them. */
  readonly series: Readonly<Record<string, string>>
  /** The labels of the alert; null where the example raises none. */
  readonly labels: Readonly<Record<string, string>> | null
  readonly firesAtMin: number
  /** Before the alert and behind it. */
  readonly quietAtMin: ReadonlyArray<number>
  /** The value in the summary, where it shows one. */
  readonly value?: number
}

/** A value that a series has for a number of minutes, and what it grows by in each. */
const during = (minutes: number, value: number, growth = 0): string => `${value}+${growth}x${minutes - 1}`

const steps = (...values: ReadonlyArray<string>): string => values.join(' ')

/** A value for ten minutes, another one for ten, and the first one again. */
const raise = (quiet: number, loud: number, minutes = 10): string =>
  steps(during(10, quiet), during(minutes, loud), during(20, quiet))

const host = { job: 'kronika', instance: 'erathia:9464' }

const seriesAt = (name: string, labels: Readonly<Record<string, string>> = {}, at = host): string =>
  `${name}{${Object.entries({ ...at, ...labels })
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`

const other = { job: 'kronika', instance: 'deyja:9464' }
const roleAt = (role: string, at = host): string => seriesAt('svc_fleet_role', { role }, at)

/** Examples of every alert. The first of each fires and resolves. */
export const alertExamples: Readonly<Record<AlertName, ReadonlyArray<AlertExample>>> = {
  KronikaHostDown: [
    { series: { [seriesAt('up')]: raise(1, 0) }, labels: host, firesAtMin: 15, quietAtMin: [5, 11, 25] },
    {
      series: { [seriesAt('up', {}, { ...host, job: 'other' })]: during(40, 0) },
      labels: null,
      firesAtMin: 0,
      quietAtMin: [30],
    },
  ],
  KronikaWritesRefused: [
    {
      series: {
        [seriesAt('svc_write_gate_open', { arm: 'sync_stale' })]: raise(1, 0),
        [roleAt('replica')]: during(40, 0),
      },
      labels: { ...host, arm: 'sync_stale' },
      firesAtMin: 15,
      quietAtMin: [5, 25],
    },
    {
      series: {
        [seriesAt('svc_write_gate_open', { arm: 'read_only' })]: during(40, 0),
        [roleAt('replica')]: during(40, 1),
      },
      labels: null,
      firesAtMin: 0,
      quietAtMin: [5, 30],
    },
  ],
  KronikaActorStuck: [
    {
      series: { [seriesAt('svc_actor_state', { actor: 'write-gate', state: 'stuck' })]: raise(0, 1) },
      labels: { ...host, actor: 'write-gate', state: 'stuck' },
      firesAtMin: 15,
      quietAtMin: [5, 25],
    },
  ],
  KronikaActorRestarts: [
    {
      series: {
        [seriesAt('svc_actor_restarts_total', { actor: 'search-tier', cause: 'fault' })]: steps(
          during(10, 0),
          during(15, 2, 2),
          during(30, 30),
        ),
      },
      labels: host,
      firesAtMin: 25,
      quietAtMin: [5, 45],
    },
    {
      series: {
        [seriesAt('svc_actor_restarts_total', { actor: 'search-tier', cause: 'effect' })]: steps(
          during(10, 0),
          during(40, 3),
        ),
      },
      labels: null,
      firesAtMin: 0,
      quietAtMin: [12, 20, 40],
    },
  ],
  KronikaInvariantViolated: [
    {
      series: {
        [seriesAt('svc_invariant_violations_total', { invariant: 'S27' })]: steps(
          during(10, 0),
          during(60, 1),
        ),
      },
      labels: { ...host, invariant: 'S27' },
      firesAtMin: 15,
      quietAtMin: [5, 60],
    },
  ],
  KronikaReaderThreadsMissing: [
    {
      series: {
        [seriesAt('svc_reader_threads')]: during(40, 2),
        [seriesAt('svc_reader_threads_live')]: raise(2, 1),
      },
      labels: host,
      firesAtMin: 17,
      quietAtMin: [5, 12, 25],
    },
  ],
  KronikaSyncOld: [
    {
      series: {
        [seriesAt('svc_sync_last_success_timestamp_seconds')]: steps(during(70, 600), during(30, 4_200)),
      },
      labels: host,
      firesAtMin: 60,
      quietAtMin: [50, 75],
    },
    {
      series: { [seriesAt('svc_sync_last_success_timestamp_seconds')]: during(120, 0) },
      labels: null,
      firesAtMin: 0,
      quietAtMin: [100],
    },
  ],
  KronikaSyncNeverDone: [
    {
      series: {
        [seriesAt('svc_sync_last_success_timestamp_seconds')]: steps(during(60, 0), during(20, 3_600)),
        [seriesAt('svc_sync_runs_total', { trigger: 'timer', result: 'FETCH_FAILED' })]: during(80, 1),
      },
      labels: host,
      firesAtMin: 20,
      quietAtMin: [5, 70],
    },
    {
      series: { [seriesAt('svc_sync_last_success_timestamp_seconds')]: during(120, 0) },
      labels: null,
      firesAtMin: 0,
      quietAtMin: [100],
    },
  ],
  KronikaHistoryRewritten: [
    {
      series: {
        [seriesAt('svc_sync_runs_total', { trigger: 'timer', result: 'history_rewritten' })]: steps(
          during(10, 0),
          during(60, 1),
        ),
      },
      labels: { ...host, result: 'history_rewritten' },
      firesAtMin: 15,
      quietAtMin: [5, 60],
    },
  ],
  KronikaParkedRefs: [
    {
      series: { [seriesAt('svc_sync_parked_refs')]: raise(0, 1) },
      labels: host,
      firesAtMin: 15,
      quietAtMin: [5, 25],
    },
  ],
  KronikaIntentsPending: [
    {
      series: {
        [seriesAt('svc_intents_pending', { kind: 'publishing' })]: raise(0, 2, 60),
        [seriesAt('svc_intents_pending', { kind: 'landing' })]: during(90, 0),
      },
      labels: host,
      firesAtMin: 45,
      quietAtMin: [30, 75],
      value: 2,
    },
  ],
  KronikaDispatchWaiting: [
    {
      series: { [seriesAt('svc_dispatch_oldest_item_timestamp_seconds', { kind: 'query' })]: raise(0, 600) },
      labels: { ...host, kind: 'query' },
      firesAtMin: 15,
      quietAtMin: [5, 11, 25],
    },
  ],
  KronikaDispatchFailed: [
    {
      series: {
        [seriesAt('svc_dispatch_enactments_total', { kind: 'close', result: 'failed' })]: steps(
          during(10, 0),
          during(60, 1),
        ),
      },
      labels: { ...host, kind: 'close', result: 'failed' },
      firesAtMin: 15,
      quietAtMin: [5, 60],
    },
  ],
  KronikaChatCourierShut: [
    {
      series: {
        [seriesAt('svc_chat_courier_shut_until_timestamp_seconds', { reason: 'token' })]: steps(
          during(10, 0),
          during(30, 1_200),
        ),
      },
      labels: { ...host, reason: 'token' },
      firesAtMin: 15,
      quietAtMin: [5, 25],
    },
  ],
  KronikaChatOutboxOld: [
    {
      series: {
        [seriesAt('svc_chat_outbox_oldest_age_seconds')]: steps(
          during(10, 0),
          during(30, 60, 60),
          during(20, 0),
        ),
      },
      labels: host,
      firesAtMin: 30,
      quietAtMin: [20, 45],
    },
  ],
  KronikaFleetNoPrimary: [
    {
      series: {
        [roleAt('primary')]: raise(1, 0),
        [roleAt('stepping-down')]: during(40, 0),
        [roleAt('replica')]: raise(0, 1),
        [roleAt('primary', other)]: during(40, 0),
        [roleAt('replica', other)]: during(40, 1),
      },
      labels: { job: 'kronika' },
      firesAtMin: 17,
      quietAtMin: [5, 12, 25],
    },
    {
      series: { [roleAt('alone')]: during(40, 1), [roleAt('primary')]: during(40, 0) },
      labels: null,
      firesAtMin: 0,
      quietAtMin: [30],
    },
    {
      series: {
        [roleAt('primary')]: during(40, 0),
        [roleAt('stepping-down')]: during(40, 1),
        [roleAt('replica', other)]: during(40, 1),
      },
      labels: null,
      firesAtMin: 0,
      quietAtMin: [30],
    },
  ],
  KronikaFleetTwoPrimaries: [
    {
      series: { [roleAt('primary')]: during(40, 1), [roleAt('primary', other)]: raise(0, 1) },
      labels: { job: 'kronika' },
      firesAtMin: 17,
      quietAtMin: [5, 12, 25],
      value: 2,
    },
  ],
  KronikaPeerDark: [
    {
      series: {
        [seriesAt('svc_fleet_peer_consecutive_misses', { town: 'Deyja' })]: steps(
          during(10, 0),
          during(10, 1, 1),
          during(20, 0),
        ),
      },
      labels: { ...host, town: 'Deyja' },
      firesAtMin: 15,
      quietAtMin: [5, 11, 25],
    },
  ],
  KronikaPeerLate: [
    {
      series: {
        [seriesAt('svc_fleet_late_answers_total', { town: 'Deyja' })]: steps(during(10, 0), during(60, 1)),
      },
      labels: { ...host, town: 'Deyja' },
      firesAtMin: 15,
      quietAtMin: [5, 60],
    },
  ],
  KronikaPeerFlapping: [
    {
      series: {
        [seriesAt('svc_fleet_peer_flapping', { town: 'Deyja' })]: steps(
          during(10, 0),
          during(20, 1),
          during(30, 0),
        ),
      },
      labels: { ...host, town: 'Deyja' },
      firesAtMin: 15,
      quietAtMin: [5, 45],
    },
  ],
  KronikaTakeoverFailed: [
    {
      series: {
        [seriesAt('svc_fleet_takeover_jobs', { status: 'failed' })]: steps(during(10, 2), during(60, 3)),
      },
      labels: { ...host, status: 'failed' },
      firesAtMin: 15,
      quietAtMin: [5, 60],
    },
  ],
  KronikaClockSkew: [
    {
      series: {
        [seriesAt('svc_fleet_peer_skew_seconds', { town: 'Deyja' })]: raise(0.1, -5, 20),
        [seriesAt('svc_fleet_peer_skew_error_seconds', { town: 'Deyja' })]: during(60, 0.05),
      },
      labels: { ...host, town: 'Deyja' },
      firesAtMin: 25,
      quietAtMin: [5, 15, 35],
    },
  ],
}

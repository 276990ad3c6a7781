import type { MetricName } from '#protocol/metric.js'

/** A dashboard of Grafana: the metrics that it shows, a panel each, and figures of the process with what they mean. */
export interface Dashboard {
  readonly title: string
  readonly shown: ReadonlyArray<MetricName>
  readonly process: ReadonlyArray<readonly [name: string, about: string]>
}

/** Every dashboard by the name of its file in `deploy/grafana/`. */
export const dashboards = {
  dispatch: {
    title: 'Kronika: interactions and messages',
    shown: [
      'svc_outbound_requests_total',
      'svc_outbound_rate_limited_total',
      'svc_dispatch_requests_total',
      'svc_dispatch_enactments_total',
      'svc_dispatch_queue_items',
      'svc_dispatch_oldest_item_timestamp_seconds',
      'svc_dispatch_receipt_lag_seconds',
      'svc_dispatch_clock_skew_alerts_total',
      'svc_dispatch_answers_total',
      'svc_dispatch_attempts',
      'svc_chat_deliveries_total',
      'svc_chat_outbox_rows',
      'svc_chat_outbox_oldest_age_seconds',
      'svc_chat_courier_shut_until_timestamp_seconds',
    ],
    process: [],
  },
  fleet: {
    title: 'Kronika: the fleet',
    shown: [
      'svc_fleet_role',
      'svc_fleet_peer_reachable',
      'svc_fleet_peer_consecutive_misses',
      'svc_fleet_probes_total',
      'svc_fleet_probe_duration_seconds',
      'svc_fleet_peer_sync_age_seconds',
      'svc_fleet_peer_skew_seconds',
      'svc_fleet_peer_skew_error_seconds',
      'svc_fleet_local_health_score',
      'svc_fleet_vantage_splits',
      'svc_fleet_takeover_jobs',
      'svc_fleet_takeover_requests_total',
      'svc_fleet_takeover_cooldown_end_timestamp_seconds',
      'svc_fleet_topology_changes_total',
      'svc_sync_last_success_timestamp_seconds',
      'svc_sync_runs_total',
      'svc_sync_behind_commits',
      'svc_sync_unpushed_commits',
      'svc_sync_parked_refs',
    ],
    process: [],
  },
  actors: {
    title: 'Kronika: actors and the process',
    shown: [
      'svc_actor_mailbox_messages',
      'svc_actor_mailbox_oldest_age_seconds',
      'svc_actor_mailbox_wait_seconds',
      'svc_actor_processing_seconds',
      'svc_actor_messages_total',
      'svc_actor_rejected_total',
      'svc_actor_dead_letters_total',
      'svc_actor_quarantined_total',
      'svc_actor_restarts_total',
      'svc_supervisor_restarts_in_window',
      'svc_actor_long_turns_total',
      'svc_loop_lag_ms',
      'svc_invariant_violations_total',
    ],
    process: [
      ['nodejs_eventloop_lag_p99_seconds', 'Delay of the event loop that one turn in a hundred exceeds.'],
      ['process_resident_memory_bytes', 'Memory of the process.'],
      ['nodejs_heap_size_used_bytes', 'Memory of the heap in use.'],
    ],
  },
  writes: {
    title: 'Kronika: writes, git and the store',
    shown: [
      'svc_write_gate_open',
      'svc_write_gate_refusals_total',
      'svc_write_results_total',
      'svc_write_step_seconds',
      'svc_write_batch_writes',
      'svc_write_replans_total',
      'svc_intents_pending',
      'svc_sync_step_duration_seconds',
      'svc_sync_attempts',
      'svc_sync_push_attempts',
      'svc_sync_push_rejections_total',
      'svc_sync_conflicts_total',
      'svc_git_commands_total',
      'svc_git_command_duration_seconds',
      'svc_git_stale_locks_removed_total',
      'svc_git_recoveries_total',
      'svc_store_transaction_seconds',
      'svc_store_errors_total',
      'svc_store_wal_bytes',
    ],
    process: [],
  },
} as const satisfies Readonly<Record<string, Dashboard>>

export type DashboardName = keyof typeof dashboards

export const dashboardNames: ReadonlyArray<DashboardName> = ['fleet', 'actors', 'writes', 'dispatch']

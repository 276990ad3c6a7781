/** The metrics of the fleet: the role of this host, its peers and takeovers. */
export const fleetMetrics = {
  svc_fleet_role: { kind: 'gauge', labels: ['role'], help: '1 for the role of this host in its fleet.' },
  svc_fleet_topology_changes_total: {
    kind: 'counter',
    labels: [],
    help: 'Versions of the topology that replaced another one since the start.',
  },
  svc_fleet_probes_total: {
    kind: 'counter',
    labels: ['town', 'kind', 'result'],
    help: 'Probes of other towns by the row that was asked and the result: ok, not_sent, or why they failed.',
  },
  svc_fleet_late_answers_total: {
    kind: 'counter',
    labels: ['town'],
    help: 'Answers that came after their sweep had counted as missed, and took the misses back.',
  },
  svc_fleet_probe_duration_seconds: {
    kind: 'histogram',
    labels: ['town'],
    help: 'Time of probes that a town answered, in time or late.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 15, 30],
  },
  svc_fleet_peer_reachable: {
    kind: 'gauge',
    labels: ['town'],
    help: '1 where the last probe of the town was answered, else 0. A town that left the topology has no series.',
  },
  svc_fleet_peer_consecutive_misses: {
    kind: 'gauge',
    labels: ['town'],
    help: 'Probes of the town in a row that left this host and failed, since its last answer.',
  },
  svc_fleet_peer_flapping: {
    kind: 'gauge',
    labels: ['town'],
    help: '1 where the last ten probes of the town changed at least five times between success and failure.',
  },
  svc_fleet_flappings_total: {
    kind: 'counter',
    labels: ['town'],
    help: 'Times that the town began to flap.',
  },
  svc_fleet_peer_skew_seconds: {
    kind: 'gauge',
    labels: ['town'],
    help: "The town's clock minus this host's, estimated for half a round trip.",
  },
  svc_fleet_peer_skew_error_seconds: {
    kind: 'gauge',
    labels: ['town'],
    help: 'The bound of the skew either way: half of the shortest of the last eight round trips.',
  },
  svc_fleet_peer_observed_timestamp_seconds: {
    kind: 'gauge',
    labels: ['town'],
    help: 'When the last probe of the town ended.',
  },
  svc_fleet_peer_sync_age_seconds: {
    kind: 'gauge',
    labels: ['town'],
    help: 'Age of the last converge of the town, by its card.',
  },
  svc_fleet_local_health_score: {
    kind: 'gauge',
    labels: [],
    help: 'How far this host trusts its own probes: 0 healthy to 7.',
  },
  svc_fleet_pauses_total: {
    kind: 'counter',
    labels: [],
    help: 'Times that this host was stopped or asleep, as its clocks and timers show.',
  },
  svc_fleet_takeover_requests_total: {
    kind: 'counter',
    labels: ['result'],
    help: 'Requests of a takeover: accepted, existing, or the refusal.',
  },
  svc_fleet_takeover_jobs: { kind: 'gauge', labels: ['status'], help: 'Takeover jobs on record by status.' },
  svc_fleet_takeover_duration_seconds: {
    kind: 'histogram',
    labels: ['result'],
    help: 'Time from the request of a takeover to the end of its job: done, or the failure.',
    buckets: [1, 5, 15, 30, 60, 120, 300, 600],
  },
  svc_fleet_takeover_cooldown_end_timestamp_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'When the cooldown of takeovers ends, on the clock of the forge; 0 for none.',
  },
  svc_fleet_vantage_splits: {
    kind: 'gauge',
    labels: [],
    help: 'Towns that this host and the outside monitor see differently.',
  },
  svc_fleet_announces_total: {
    kind: 'counter',
    labels: ['coalesced'],
    help: 'Announcements received; coalesced: another one came within 5 s before.',
  },
} as const

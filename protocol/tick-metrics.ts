/** The metrics of ticks: work that a host does by its own clock. Each metric has one series for each tick. */
export const tickMetrics = {
  svc_tick_duration_seconds: {
    kind: 'histogram',
    labels: ['tick'],
    help: 'Time from the begin of a tick that had work to its end.',
    buckets: [0.005, 0.05, 0.25, 1, 5, 15, 60, 300],
  },
  svc_tick_overruns_total: {
    kind: 'counter',
    labels: ['tick'],
    help: 'Ticks that took longer than their budget.',
  },
  svc_tick_failures_total: {
    kind: 'counter',
    labels: ['tick'],
    help: 'Ticks of workloads that ended with an error.',
  },
} as const

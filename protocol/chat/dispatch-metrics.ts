/** The metrics of interactions that the worker of the chat forwards. */
export const dispatchMetrics = {
  svc_dispatch_requests_total: {
    kind: 'counter',
    labels: ['kind', 'result'],
    help: 'Interactions received: accepted, duplicate, bad (unreadable), or why not. Kind `none`: it is unknown.',
  },
  svc_dispatch_enactments_total: {
    kind: 'counter',
    labels: ['kind', 'result'],
    help: 'Interactions that ended: enacted, failed or refused.',
  },
  svc_dispatch_queue_items: {
    kind: 'gauge',
    labels: ['kind', 'state'],
    help: 'Interactions that wait, queued or running.',
  },
  svc_dispatch_oldest_item_timestamp_seconds: {
    kind: 'gauge',
    labels: ['kind'],
    help: 'When the oldest interaction that waits was accepted; 0 where none waits.',
  },
  svc_dispatch_receipt_lag_seconds: {
    kind: 'histogram',
    labels: ['kind'],
    help: 'Time from the sending to the receipt; 0 where the clock of the sender is ahead.',
    buckets: [0.1, 0.5, 1, 2, 3, 5, 15, 60],
  },
  svc_dispatch_clock_skew_alerts_total: {
    kind: 'counter',
    labels: [],
    help: 'Interactions from further in the future than `integrations.chat.dispatch.skew_alert_ms`.',
  },
  svc_dispatch_answers_total: {
    kind: 'counter',
    labels: ['kind', 'result'],
    help: 'Answers to interactions: sent, or why they were given up.',
  },
  svc_dispatch_attempts: {
    kind: 'histogram',
    labels: ['kind'],
    help: 'Attempts of an interaction until it ended.',
    buckets: [1, 2, 3],
  },
} as const

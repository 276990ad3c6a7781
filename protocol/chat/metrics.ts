/** The metrics of messages to the chat platform. */
export const chatMetrics = {
  svc_chat_deliveries_total: {
    kind: 'counter',
    labels: ['operation', 'result'],
    help: 'Messages of the outbox by how they ended: sent, refused, or unknown.',
  },
  svc_chat_outbox_rows: { kind: 'gauge', labels: ['status'], help: 'Messages of the outbox on record.' },
  svc_chat_outbox_oldest_age_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'Age of the oldest message that waits; 0 where none does.',
  },
  svc_chat_courier_shut_until_timestamp_seconds: {
    kind: 'gauge',
    labels: ['reason'],
    help: 'Until when the chat courier makes no calls, by token or budget; 0 where that does not stop it.',
  },
} as const

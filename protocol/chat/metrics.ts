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
} as const

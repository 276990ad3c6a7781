import { right } from 'fp-ts/lib/Either.js'
import type { Deliveries } from '#src/ports/chat.js'
import type { DeliveryRecord } from '#src/ports/records.js'

const sentMs = Date.UTC(2026, 5, 15, 10)

/** A message that was sent at once. */
export const sentRecord: DeliveryRecord = {
  id: '8f1f2f39-7f3e-4f0a-9a55-0d3f5b0f6a11',
  operation: 'message',
  category: 'sesje',
  channel: 'solmyr-kanał',
  entity: 'Solmyr',
  text: '',
  nonce: 'nonce',
  status: 'sent',
  attempts: 1,
  queuedMs: sentMs,
  dueMs: sentMs,
  doubtSinceMs: sentMs,
  endedMs: sentMs + 1_000,
  messageId: '555',
  code: null,
  detail: null,
}

/** A host whose messages are sent at once. */
export const sendsAtOnce: Deliveries = {
  whyNot: () => null,
  send: () => Promise.resolve(right('sent')),
  list: () => [sentRecord],
}

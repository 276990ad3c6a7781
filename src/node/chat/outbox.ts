import { randomUUID } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { ChatSenderMessage } from '#actors/chat-sender.js'
import { nfc } from '#protocol/atoms.js'
import type { DeliveryStatus } from '#protocol/chat/delivery.js'
import { nonceOf } from '#src/domain/chat/attempts.js'
import { ask, type Ref } from '#src/kernel/actor/ref.js'
import type { DeliveryStore, NewDelivery } from '#src/ports/records.js'

/** A message for the outbox; without a nonce that of its row. */
export type OutboxMessage = Omit<NewDelivery, 'id' | 'nonce'> & { readonly nonce?: string }

/** Puts messages into the outbox. A call throws where the disk refuses. */
export interface DeliveryOutbox {
  /** Queues a message; returns its id, or null where the outbox is full. */
  readonly post: (message: OutboxMessage) => string | null
  /** Returns the status of a message as soon as it has ended, or `queued` after `waitMs`. */
  readonly awaitEnd: (id: string, waitMs: number) => Promise<DeliveryStatus>
}

/** `wake` has the sender look at the outbox. */
export const openOutbox = (
  store: Pick<DeliveryStore, 'enqueue'>,
  sender: Ref<ChatSenderMessage>,
  nowMs: () => number,
  wake: () => void,
): DeliveryOutbox => ({
  post: ({ category, channel, nonce, ...message }) => {
    const id = randomUUID()
    const names = { category: nfc(category), channel: nfc(channel) }
    if (!store.enqueue({ ...message, ...names, id, nonce: nonce ?? nonceOf(id) }, nowMs())) return null
    wake()
    return id
  },
  awaitEnd: async (id, waitMs) => {
    const answer = await ask<ChatSenderMessage, DeliveryStatus>(
      sender,
      replyTo => ({ _tag: 'Await', id, replyTo }),
      waitMs,
    )
    return isLeft(answer) ? 'queued' : answer.right
  },
})

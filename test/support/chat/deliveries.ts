import { right } from 'fp-ts/lib/Either.js'
import type { FoundChannel } from '#src/domain/chat/attempts.js'
import { realClock } from '#src/kernel/time/clock.js'
import { type DeliveriesSources, openDeliveries } from '#src/node/chat/delivery.js'
import type { Deliveries } from '#src/ports/chat.js'

/** The desk of a host whose guild answers so; it queues nothing unless `changes` has an outbox that does. */
export const deliveriesFinding = (
  found: FoundChannel,
  changes: Partial<DeliveriesSources> = {},
): Deliveries =>
  openDeliveries({
    whyNot: null,
    channels: { find: () => Promise.resolve(right(found)), forget: () => undefined },
    outbox: { post: () => null, awaitEnd: () => Promise.resolve('queued') },
    store: { list: () => [] },
    audit: () => undefined,
    clock: realClock,
    ...changes,
  })

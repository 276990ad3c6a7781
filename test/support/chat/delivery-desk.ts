import { right } from 'fp-ts/lib/Either.js'
import type { FoundChannel } from '#src/domain/chat/attempts.js'
import type { DeliveryDeps } from '#src/http/handlers/chat.js'
import { realClock } from '#src/kernel/time/clock.js'
import { type DeliveryDeskSetup, deliveryDesk } from '#src/node/chat/delivery.js'

/** The desk of a host whose guild answers so; it queues nothing unless `changes` has an outbox that does. */
export const deskFinding = (
  found: FoundChannel,
  changes: Partial<DeliveryDeskSetup> = {},
): DeliveryDeps['delivery'] =>
  deliveryDesk({
    whyNot: null,
    channels: { find: () => Promise.resolve(right(found)), forget: () => undefined },
    outbox: { post: () => null, awaitEnd: () => Promise.resolve('queued') },
    store: { list: () => [] },
    audit: () => undefined,
    clock: realClock,
    ...changes,
  })

import type { ChatSenderPorts } from '#actors/chat-sender.js'
import type { DeliveryDeps } from '#src/http/handlers/chat.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { NodeParts } from '../tree/node-parts.js'
import { chatSenderPorts } from './chat-sender.js'
import { deliveryDesk } from './delivery-desk.js'

/** What the front needs to send messages and to show them. */
export const deliveryDeps = ({ checkout, delivery, records }: NodeParts): DeliveryDeps => ({
  delivery: deliveryDesk({
    ...delivery,
    store: checkout.runtime.deliveries,
    audit: records.audit,
    clock: realClock,
  }),
})

/** The ports of the chat sender on this host. */
export const chatSenderPortsOf = ({ checkout, delivery, log, metrics, tree }: NodeParts): ChatSenderPorts =>
  chatSenderPorts({
    ...delivery,
    store: checkout.runtime.deliveries,
    meter: metrics.meter,
    log,
    nowMs: realClock.nowMs,
    tell: message => tellWhenRoom(tree.doors.outbox, message, realClock),
  })

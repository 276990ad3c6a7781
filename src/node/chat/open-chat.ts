import type { ChatSenderPorts } from '#actors/chat/chat-sender.js'
import { incomingAuthorsOf } from '#src/adapters/sync/sync-git.js'
import type { DeliveryDeps } from '#src/http/handlers/chat.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Enactor } from '#src/ports/chat.js'
import { fleetDeps } from '../fleet/fleet.js'
import type { NodeParts } from '../tree/node.js'
import { chatSenderPorts, deliveryDesk, nodeDelivery, nodeNotices } from './delivery.js'
import { openDispatch } from './interactions.js'

/**
 * Opens what a node has for the chat: the dispatch queue, the outbox and the notices, which are connected with the
 * watchers of the other towns.
 */
export const openChatParts = (
  sources: Sources,
  enactor: Enactor | null,
): Pick<NodeParts, 'dispatch' | 'delivery' | 'notices'> => {
  const { config, checkout, tree, peers, log } = sources
  const delivery = nodeDelivery({ ...sources, doors: tree.doors })
  const { whyNoDuty } = fleetDeps(sources)
  const notices = nodeNotices({
    config,
    delivery,
    hasDuty: () => whyNoDuty() === null,
    log,
    peers: peers.table,
    monotonicMs: realClock.monotonicMs,
    authorsOf: (range, signal) => incomingAuthorsOf(checkout.repo, range, signal),
  })
  peers.table.watch(() => void notices.onProbed())
  return { dispatch: openDispatch(checkout, config, tree.doors.sync, enactor), delivery, notices }
}

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

type Sources = Pick<
  NodeParts,
  'snapshot' | 'config' | 'secrets' | 'checkout' | 'tree' | 'fleet' | 'sync' | 'peers' | 'log'
>

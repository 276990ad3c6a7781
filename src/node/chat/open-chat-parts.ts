import { incomingAuthorsOf } from '#src/adapters/sync/records.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Enactor } from '#src/ports/chat.js'
import { fleetDeps } from '../fleet/fleet-deps.js'
import type { NodeParts } from '../tree/node-parts.js'
import { nodeDelivery } from './node-delivery.js'
import { openDispatch } from './node-dispatch.js'
import { nodeNotices } from './node-notices.js'

type Sources = Pick<
  NodeParts,
  'snapshot' | 'config' | 'secrets' | 'checkout' | 'tree' | 'fleet' | 'sync' | 'peers' | 'log'
>

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

import type { ChatSenderPorts } from '#actors/chat/chat-sender.js'
import { incomingAuthorsOf } from '#src/adapters/sync/sync-git.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Deliveries, Enactor } from '#src/ports/chat.js'
import type { Meter } from '#src/ports/records.js'
import { fleetDuty } from '../fleet/fleet.js'
import type { HostNode } from '../tree/node.js'
import { chatSenderPorts, nodeDelivery, nodeNotices, openDeliveries } from './delivery.js'
import { nodeReleaseNotices } from './enactment-notices.js'
import { openDispatch } from './interactions.js'

/**
 * Opens what a node has for the chat: the dispatch queue, the outbox and the notices, which are connected with the
 * watchers of the other towns.
 */
export const openChat = (
  sources: Sources,
  enactor: Enactor | null,
): Pick<HostNode, 'dispatch' | 'delivery' | 'notices' | 'releaseNotices'> => {
  const { config, checkout, refs, peers, log } = sources
  const delivery = nodeDelivery({ ...sources, refs })
  const { whyNoDuty } = fleetDuty(sources)
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
  return {
    dispatch: openDispatch(checkout, config, refs.sync, enactor),
    delivery,
    notices,
    releaseNotices: nodeReleaseNotices(sources, delivery),
  }
}

/** Sends and shows the messages of callers on this host. */
export const deliveriesOf = ({ checkout, delivery, records }: HostNode): Deliveries =>
  openDeliveries({
    ...delivery,
    store: checkout.runtime.deliveries,
    audit: records.audit,
    clock: realClock,
  })

/** The ports of the chat sender on this host. */
export const chatSenderPortsOf = ({ checkout, delivery, log, metrics, refs }: HostNode): ChatSenderPorts =>
  chatSenderPorts({
    ...delivery,
    store: checkout.runtime.deliveries,
    meter: metrics.meter,
    log,
    nowMs: realClock.nowMs,
    tell: message => tellWhenRoom(refs.outbox, message, realClock),
  })

type Sources = Pick<
  HostNode,
  'snapshot' | 'config' | 'secrets' | 'checkout' | 'refs' | 'fleet' | 'sync' | 'peers' | 'log' | 'records'
> & { readonly meter: Meter }

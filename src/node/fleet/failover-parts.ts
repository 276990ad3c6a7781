import { isLeft } from 'fp-ts/lib/Either.js'
import type { FailoverPorts } from '#actors/failover/failover.js'
import { automaticRequest, type FailoverInput } from '#src/domain/fleet/failover.js'
import { reasonOf } from '../start/checkout.js'
import type { NodeParts } from '../tree/node-parts.js'
import { takeoverFactsOf } from './takeover-desk.js'
import { callForge, takeoverDeps } from './takeover-parts.js'

/** The actor of a takeover that no person asked for. */
const daemonActor = { name: 'daemon', gracz: null, kind: 'machine' } as const

const readInput = ({ takeovers, checkout, config, options }: NodeParts): FailoverInput => {
  const { town: self } = options
  const store = checkout.runtime.takeovers
  const fence = takeovers.sight.fence()
  return {
    facts: takeoverFactsOf({ ...takeovers, self, config }),
    isEnabled: config['fleet.auto_failover.enabled'],
    fence,
    hasActiveJob: store.active().length > 0,
    failures: fence === null ? [] : store.failuresOf(fence.commit),
  }
}

/** The ports of the failover actor on this host. */
export const failoverPorts = (parts: NodeParts): FailoverPorts => {
  const { takeovers, config, options, log } = parts
  const desk = takeoverDeps(parts).takeovers
  return {
    read: () => readInput(parts),
    forge: callForge(takeovers),
    targetBranch: config['server.sync_branch'] || null,
    ask: () => {
      try {
        const asked = desk.request(automaticRequest(options.town), daemonActor, false)
        if (isLeft(asked)) return false
        const isQueued = asked.right.known === null
        if (isQueued) log.warn('failover_asked', { town: options.town })
        return isQueued
      } catch (error) {
        log.warn('failover_unasked', { reason: reasonOf(error) })
        return false
      }
    },
    report: ({ seen, iid }, detail) => {
      if (seen === 'unknown') log.warn('failover_unseen', { reason: detail })
      else log.info('failover_held', { request: seen, iid })
    },
  }
}

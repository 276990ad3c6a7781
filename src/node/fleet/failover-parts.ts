import { isLeft } from 'fp-ts/lib/Either.js'
import type { FailoverPorts } from '#actors/failover.js'
import type { Config } from '#protocol/config.js'
import { automaticRequest, type FailoverInput } from '#src/domain/fleet/failover.js'
import type { TakeoverDeps } from '#src/http/handlers/fleet.js'
import type { TakeoverStore } from '#src/ports/records.js'
import type { Log } from '../records/log.js'
import { reasonOf } from '../start/checkout.js'
import type { NodeParts } from '../tree/node-parts.js'
import type { NodeTakeovers } from './node-takeovers.js'
import { takeoverFactsOf } from './takeover-desk.js'
import { callForge, takeoverDeps } from './takeover-parts.js'

export interface FailoverSetup {
  readonly self: string
  readonly takeovers: Pick<NodeTakeovers, 'sight' | 'forge' | 'cooldown'>
  readonly store: Pick<TakeoverStore, 'active' | 'failuresOf'>
  readonly config: Pick<
    Config,
    'fleet.auto_failover.enabled' | 'fleet.auto_failover.after_sweeps' | 'server.sync_branch'
  >
  /** The desk that requests by hand go through, too. */
  readonly request: TakeoverDeps['takeovers']['request']
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** The actor of a takeover that no person asked for. */
const daemonActor = { name: 'daemon', gracz: null, kind: 'machine' } as const

/**
 * The misses count here while this host is isolated: the look at the forge, which comes before an ask, shows whether it
 * is, and the desk that is asked decides by what counts then.
 */
const readInput = ({ self, takeovers, store, config }: FailoverSetup): FailoverInput => {
  const { sight } = takeovers
  const fence = sight.fence()
  return {
    facts: takeoverFactsOf({ ...takeovers, sight: { ...sight, view: sight.suspectView }, self, config }),
    isEnabled: config['fleet.auto_failover.enabled'],
    fence,
    hasActiveJob: store.active().length > 0,
    failures: fence === null ? [] : store.failuresOf(fence.commit),
  }
}

const ask = ({ self, request, log }: FailoverSetup): boolean => {
  try {
    const asked = request(automaticRequest(self), daemonActor, false)
    const isQueued = !isLeft(asked) && asked.right.known === null
    if (isQueued) log.warn('failover_asked')
    return isQueued
  } catch (error) {
    log.warn('failover_unasked', { reason: reasonOf(error) })
    return false
  }
}

/** What the failover actor works with: what this host knows, the forge, and the desk of takeovers. */
export const failoverWork = (setup: FailoverSetup): FailoverPorts => {
  const { takeovers, config, log } = setup
  return {
    read: () => readInput(setup),
    forge: callForge(takeovers),
    targetBranch: config['server.sync_branch'] || null,
    ask: () => ask(setup),
    report: ({ seen, iid }, detail) => {
      if (seen === 'unknown') log.warn('failover_unseen', { reason: detail })
      else log.info('failover_held', { request: seen, iid })
    },
  }
}

/** The ports of the failover actor on this host. */
export const failoverPorts = (parts: NodeParts): FailoverPorts =>
  failoverWork({
    ...parts,
    self: parts.options.town,
    store: parts.checkout.runtime.takeovers,
    request: takeoverDeps(parts).takeovers.request,
  })

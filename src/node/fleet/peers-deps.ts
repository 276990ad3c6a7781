import { instantOf } from '#protocol/atoms.js'
import type { Config } from '#protocol/config.js'
import type { LastTakeover } from '#protocol/fleet/peers.js'
import { takeoverRefusals } from '#src/domain/fleet/takeover-refusals.js'
import type { PeersDeps } from '#src/http/handlers/fleet.js'
import type { TakeoverRecord, TakeoverStore } from '#src/ports/records.js'
import type { NodePeers } from './node-peers.js'
import type { NodeTakeovers } from './node-takeovers.js'
import type { PeerTable } from './peer-table.js'
import type { CooldownCache } from './takeover-cooldown.js'
import { takeoverFactsOf } from './takeover-desk.js'
import type { TakeoverError, TakeoverErrors } from './takeover-errors.js'

const minuteMs = 60_000

const describeTakeover = (
  { job, state, requestedMs, failure, detail, request }: TakeoverRecord,
  error: TakeoverError | null,
): LastTakeover => ({
  target: job.town,
  reason: job.reason,
  status: state,
  requestedUtc: instantOf(requestedMs),
  failure,
  detail,
  mrUrl: request?.url ?? null,
  lastError:
    state === 'running' && error?.jobId === job.id
      ? { atUtc: instantOf(error.atMs), detail: error.detail }
      : null,
})

export interface PeersSources {
  readonly checkout: { readonly runtime: { readonly takeovers: Pick<TakeoverStore, 'last'> } }
  readonly config: Pick<Config, 'fleet.auto_failover.after_sweeps'>
  readonly options: { readonly town: string }
  readonly peers: Pick<NodePeers, 'intervalMs'> & {
    readonly table: Pick<PeerTable, 'records' | 'isIsolated'>
  }
  readonly takeovers: Pick<NodeTakeovers, 'sight' | 'forge'> & {
    readonly cooldown: Pick<CooldownCache, 'current'>
    readonly errors: Pick<TakeoverErrors, 'last'>
  }
}

/** What the front reads of the peers: all from memory. */
export const peersDeps = ({
  checkout,
  config,
  options,
  peers,
  takeovers,
}: PeersSources): Pick<PeersDeps, 'peers'> => {
  const store = checkout.runtime.takeovers
  return {
    peers: {
      records: peers.table.records,
      isIsolated: peers.table.isIsolated,
      watchIntervalMin: peers.intervalMs / minuteMs,
      afterSweeps: config['fleet.auto_failover.after_sweeps'],
      view: takeovers.sight.view,
      lastTakeover: () => {
        const last = store.last()
        return last === null ? null : describeTakeover(last, takeovers.errors.last())
      },
      obstacles: () =>
        takeoverRefusals(takeoverFactsOf({ ...takeovers, self: options.town, config }), {
          reason: 'now',
          target: null,
          isForced: false,
        }),
    },
  }
}

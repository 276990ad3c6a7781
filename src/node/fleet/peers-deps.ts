import { takeoverObstacles } from '#src/domain/fleet/takeover-outlook.js'
import type { PeersDeps } from '#src/http/handlers/fleet/peers.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { NodeParts } from '../tree/node-parts.js'
import { forgeOf } from './forge-of.js'

const minuteMs = 60_000

/** What the front reads of the peers, all of it from memory. */
export const peersDeps = (parts: NodeParts): Pick<PeersDeps, 'peers'> => {
  const { config, fleet, metrics, peers, secrets, sync, version } = parts
  const { meter } = metrics
  const forge = forgeOf({ config, secrets, version, meter, nowMs: realClock.nowMs })
  const afterSweeps = config['fleet.auto_failover.after_sweeps']
  return {
    peers: {
      records: peers.table.records,
      watchIntervalMin: peers.intervalMs / minuteMs,
      afterSweeps,
      lastTakeover: () => null,
      obstacles: () => {
        const ageMs = sync.ageMs()
        return takeoverObstacles({
          state: fleet.state(),
          views: peers.table.views(),
          canActuate: forge._tag === 'Forge',
          cooldown: null,
          afterSweeps,
          ownSyncAgeMinutes: ageMs === null ? null : ageMs / minuteMs,
          syncMaxAgeMinutes: config['server.sync_max_age_min'],
        })
      },
    },
  }
}

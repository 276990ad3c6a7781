import type { TownView } from './candidates.js'
import type { FleetState } from './fleet-state.js'
import { type TakeoverFacts, type TakeoverRefusal, takeoverRefusals } from './takeover-refusals.js'

/** What the outlook reads: all of it is in memory. */
export interface OutlookInput extends Pick<TakeoverFacts, 'canActuate' | 'cooldown' | 'afterSweeps'> {
  readonly state: Pick<FleetState, 'town' | 'topology'>
  readonly views: ReadonlyMap<string, TownView>
  /** Null where sync is disabled, or no converge succeeded yet. */
  readonly ownSyncAgeMinutes: number | null
  /** `server.sync_max_age_min`. */
  readonly syncMaxAgeMinutes: number
}

/** What a takeover is decided on: this host sees itself as reachable. */
export const takeoverFactsOf = (input: OutlookInput): TakeoverFacts => {
  const { state, views, canActuate, cooldown, afterSweeps } = input
  const own: TownView = {
    isReachable: true,
    consecutiveMisses: 0,
    syncAgeMinutes: input.ownSyncAgeMinutes,
  }
  const fleet =
    state.topology === null
      ? null
      : {
          topology: state.topology,
          views: new Map(views).set(state.town, own),
          syncMaxAgeMinutes: input.syncMaxAgeMinutes,
        }
  return { canActuate, cooldown, fleet, self: state.town, afterSweeps }
}

/** Every refusal that a takeover without a target and without `force` would meet now. */
export const takeoverObstacles = (input: OutlookInput): ReadonlyArray<TakeoverRefusal> =>
  takeoverRefusals(takeoverFactsOf(input), { reason: 'now', target: null, isForced: false })

import type { FleetView } from '#src/domain/fleet/candidates.js'
import type { TakeoverFacts, TakeoverRequest } from '#src/domain/fleet/takeover-refusals.js'

/** The towns that may lead by what a host sees, in the order of their choice. */
const listCandidates = ({ topology, views, syncMaxAgeMinutes }: FleetView): ReadonlyArray<string> => {
  const found: Array<{ readonly name: string; readonly age: number }> = []
  for (const [name, town] of topology.towns) {
    const view = views.get(name)
    if (name === topology.apex || !town.isEligible || town.isSteppingDown) continue
    if (view?.isReachable !== true || view.syncAgeMinutes === null) continue
    if (view.syncAgeMinutes <= syncMaxAgeMinutes) found.push({ name, age: view.syncAgeMinutes })
  }
  found.sort((a, b) => a.age - b.age || (a.name < b.name ? -1 : 1))
  return found.map(({ name }) => name)
}

/**
 * The answer that docs/spec/fleet.md gives to a takeover with a good reason, on a host that can call the forge: the
 * first refusal, or the town. It is written a second time here so that the rule of the product is held against it.
 */
export const expectTakeover = (
  { cooldown, fleet, self, afterSweeps }: TakeoverFacts,
  { target, isForced }: TakeoverRequest,
): string => {
  if (cooldown !== null) return 'takeover_cooldown'
  const candidates = fleet === null ? [] : listCandidates(fleet)
  if (target !== null && !candidates.includes(target)) return 'target_ineligible'
  const [first] = candidates
  if (fleet === null || first === undefined) return 'no_candidate'
  const { apex, towns } = fleet.topology
  const isHandedOver = self === apex && towns.get(apex)?.isSteppingDown === true
  const misses = self === apex ? 0 : (fleet.views.get(apex)?.consecutiveMisses ?? 0)
  if (!isForced && !isHandedOver && misses < afterSweeps) return 'not_corroborated'
  return `accepted ${target ?? first}`
}

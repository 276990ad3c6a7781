import type { FleetMonitor } from '#protocol/fleet/monitor.js'
import { type FleetView, ineligibilitiesOf, noTownView } from '../candidates.js'

const minutesOf = (minutes: number | null): string =>
  minutes === null ? 'sync age unknown' : `sync ${Math.round(minutes)} min old`

/** What the outside monitor says of the towns of the topology; nothing without its document. */
const describeMonitor = (
  { topology }: FleetView,
  { document, stale }: Pick<FleetMonitor, 'document' | 'stale'>,
): ReadonlyArray<string> => {
  const seen = (document?.towns ?? []).filter(({ town }) => topology.towns.has(town))
  if (document === null || seen.length === 0) return []
  const age = stale ? ', which is stale' : ''
  const says = seen.map(({ town, reachable }) => `${town} ${reachable ? 'reachable' : 'unreachable'}`)
  return ['', `The outside monitor at ${document.generatedUtc}${age}: ${says.join(', ')}.`]
}

/** What a host knows of each town when it accepts a takeover, as a list in Markdown. */
export const describeEvidence = (
  fleet: FleetView,
  monitor: Pick<FleetMonitor, 'document' | 'stale'>,
  self: string,
  actor: string,
): string => {
  const rows = [...fleet.topology.towns.keys()].sort().map(town => {
    const { isReachable, consecutiveMisses, syncAgeMinutes } = fleet.views.get(town) ?? noTownView
    const reasons = ineligibilitiesOf(fleet, town)
    const seen = isReachable === null ? 'not observed' : isReachable ? 'reachable' : 'unreachable'
    const verdict = reasons.length === 0 ? 'can be the apex' : reasons.join(', ')
    return `- ${town}: ${seen}, ${consecutiveMisses} failed probes in a row, ${minutesOf(syncAgeMinutes)}; ${verdict}`
  })
  const head = `Requested on ${self} by ${actor}. The records of ${self}:`
  return [head, '', ...rows, ...describeMonitor(fleet, monitor)].join('\n')
}

import { type FleetView, ineligibilitiesOf, noTownView } from '../candidates.js'

const minutesOf = (minutes: number | null): string =>
  minutes === null ? 'sync age unknown' : `sync ${Math.round(minutes)} min old`

/** What a host knows of each town when it accepts a takeover, as a list in Markdown. */
export const describeEvidence = (fleet: FleetView, self: string, actor: string): string => {
  const rows = [...fleet.topology.towns.keys()].sort().map(town => {
    const { isReachable, consecutiveMisses, syncAgeMinutes } = fleet.views.get(town) ?? noTownView
    const reasons = ineligibilitiesOf(fleet, town)
    const seen = isReachable === null ? 'not observed' : isReachable ? 'reachable' : 'unreachable'
    const verdict = reasons.length === 0 ? 'can be the apex' : reasons.join(', ')
    return `- ${town}: ${seen}, ${consecutiveMisses} failed probes in a row, ${minutesOf(syncAgeMinutes)}; ${verdict}`
  })
  return [`Requested on ${self} by ${actor}. The records of ${self}:`, '', ...rows].join('\n')
}

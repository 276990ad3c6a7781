import { isLeft } from 'fp-ts/lib/Either.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { readTopology, type Topology, type Town, topologyPath } from './topology.js'

/** What this host knows of a town: from its last probe, or of itself. */
export interface TownView {
  /** Null where no probe has ended since the start. */
  readonly isReachable: boolean | null
  readonly consecutiveMisses: number
  /** From its card; null where its sync is disabled, or no card was read. */
  readonly syncAgeMinutes: number | null
}

export const noTownView: TownView = { isReachable: null, consecutiveMisses: 0, syncAgeMinutes: null }

export const ineligibilities = [
  'unknown_town',
  'is_apex',
  'not_eligible',
  'stepping_down',
  'not_observed',
  'unreachable',
  'sync_unknown',
  'sync_stale',
] as const
/** Why a town cannot become the apex. */
export type Ineligibility = (typeof ineligibilities)[number]

export interface FleetView {
  readonly topology: Topology
  readonly views: ReadonlyMap<string, TownView>
  /** `server.sync_max_age_min`. */
  readonly syncMaxAgeMinutes: number
}

/** Every reason why the town cannot become the apex; none where it can. */
export const ineligibilitiesOf = (fleet: FleetView, name: string): ReadonlyArray<Ineligibility> => {
  const town = fleet.topology.towns.get(name)
  if (town === undefined) return ['unknown_town']
  return [...reasonsByFile(fleet, town), ...reasonsByView(viewOf(fleet, name), fleet.syncMaxAgeMinutes)]
}

/** The towns that can become the apex: the freshest sync first, then by name. */
export const rankCandidates = (fleet: FleetView): ReadonlyArray<string> => {
  const ageOf = (name: string): number => viewOf(fleet, name).syncAgeMinutes ?? Number.POSITIVE_INFINITY
  return [...fleet.topology.towns.keys()]
    .filter(name => ineligibilitiesOf(fleet, name).length === 0)
    .sort((a, b) => (ageOf(a) === ageOf(b) ? compareTexts(a, b) : ageOf(a) - ageOf(b)))
}

export interface TownRejection {
  readonly town: string
  readonly reasons: ReadonlyArray<Ineligibility>
}

/** Every town that cannot become the apex, by name, with all its reasons. */
export const rejectionsOf = (fleet: FleetView): ReadonlyArray<TownRejection> =>
  [...fleet.topology.towns.keys()]
    .sort(compareTexts)
    .map(town => ({ town, reasons: ineligibilitiesOf(fleet, town) }))
    .filter(({ reasons }) => reasons.length > 0)

/** Every town of the topology: the candidates in their order, then the others by name with their reasons. */
export const listOutlooks = (fleet: FleetView): ReadonlyArray<TownRejection> => [
  ...rankCandidates(fleet).map(town => ({ town, reasons: [] })),
  ...rejectionsOf(fleet),
]

/** The towns that the committed topology lists, in its order; none where it is absent or cannot be used. */
export const listTowns = (files: ReadonlyMap<string, SourceFile>): ReadonlyArray<string> => {
  const file = files.get(topologyPath)
  return file === undefined ? [] : townsOf(file)
}

const viewOf = ({ views }: FleetView, town: string): TownView => views.get(town) ?? noTownView

const reasonsByFile = ({ topology }: FleetView, town: Town): ReadonlyArray<Ineligibility> => [
  ...(town.name === topology.apex ? (['is_apex'] as const) : []),
  ...(town.isEligible ? [] : (['not_eligible'] as const)),
  ...(town.isSteppingDown ? (['stepping_down'] as const) : []),
]

const reasonsByView = (
  { isReachable, syncAgeMinutes }: TownView,
  maxMinutes: number,
): ReadonlyArray<Ineligibility> => {
  if (isReachable === null) return ['not_observed']
  if (!isReachable) return ['unreachable']
  if (syncAgeMinutes === null) return ['sync_unknown']
  return syncAgeMinutes > maxMinutes ? ['sync_stale'] : []
}

/** The order of texts by their UTF-16 units, which is the same on every host. */
const compareTexts = (a: string, b: string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const townsOf = perValue((file: SourceFile): ReadonlyArray<string> => {
  const read = readTopology(file)
  return isLeft(read) ? [] : [...read.right.towns.keys()]
})

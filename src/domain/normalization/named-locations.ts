import { candidatesShown, distanceMax, type EntityType, type NameKey } from '#protocol/atoms.js'
import type { LikelyLocation, LocationConflict, LocationMatch, NamedLocation } from '#protocol/lore/names.js'
import { typeOn } from '#src/domain/entities/entity.js'
import { placeNamed } from '#src/domain/entities/places.js'
import { type NameWorld, resolveWishInSlices } from '#src/domain/names/requests.js'
import { type Sliced, sortInSlices } from '#src/domain/slicing/sliced.js'
import {
  type GatheredLocation,
  type GatheredLocations,
  type NearLocation,
  nearLocationsInSlices,
} from './locations.js'

/** The report, and how many of the rarest locations it does not describe. */
export interface LocationReport {
  readonly locations: ReadonlyArray<NamedLocation>
  readonly leftOut: number
}

/**
 * The named-location report of FORMATS 8 over gathered locations, most frequent first, without excluded ones.
 * Describes the 1,000 most frequent. Yields after each location.
 */
export const namedLocationsInSlices = function* (
  world: NameWorld,
  gathered: GatheredLocations,
  excluded: ReadonlySet<NameKey>,
): Sliced<LocationReport> {
  const kept = [...gathered.values()].filter(({ key }) => !excluded.has(key))
  const sorted = yield* sortInSlices(kept, byFrequency)
  const shown = sorted.slice(0, describedMax)
  const near = yield* nearLocationsInSlices(shown)
  const locations: Array<NamedLocation> = []
  for (const location of shown) {
    const noFuzzy = locations.length >= fuzzyMax
    locations.push(yield* describeLocation(world, location, near.get(location) ?? [], noFuzzy))
    yield
  }
  return { locations, leftOut: sorted.length - shown.length }
}

/** How many of the most frequent locations are described; each two of them are compared. */
const describedMax = 1_000
/** For how many of them the fuzzy stage is asked, which costs a millisecond or more. */
const fuzzyMax = 300
const listedMax = 20
const likelyMax = 5

const byFrequency = (one: GatheredLocation, other: GatheredLocation): number =>
  other.occurrences - one.occurrences || (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)

const spellingsByFrequency = ({ spellings }: GatheredLocation): ReadonlyArray<string> =>
  [...spellings]
    .sort(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))
    .map(([text]) => text)

const withoutMark = (text: string): string => (text.endsWith('*') ? text.slice(0, -1).trimEnd() : text)

const nameOf = (location: GatheredLocation): string => withoutMark(spellingsByFrequency(location)[0] ?? '')

const matchName = function* (
  world: NameWorld,
  text: string,
  type: EntityType | null,
  noFuzzy: boolean,
): Sliced<LocationMatch | null> {
  const { entity, stage, ambiguous } = yield* resolveWishInSlices(world, {
    name: text,
    type,
    within: null,
    activeOn: null,
    noFuzzy,
    topN: candidatesShown,
    maxDistance: distanceMax,
  })
  if (stage === 'miss') return null
  return {
    Name: entity?.name ?? null,
    Type: entity === null ? null : typeOn(entity, world.day),
    Match: stage === 'exact' || stage === 'alias' ? 'Exact' : 'Fuzzy',
    Stage: stage,
    Ambiguous: ambiguous,
  }
}

/** The block that a location text means: a Lokacja exactly, by path, in another form, or else any block. */
const matchOf = function* (world: NameWorld, text: string, noFuzzy: boolean): Sliced<LocationMatch | null> {
  const place = yield* matchName(world, text, 'Lokacja', noFuzzy)
  if (place !== null) return place
  const byPath = text.includes('/') ? placeNamed(world.entities, text, world.day) : null
  if (byPath !== null) {
    const Type = typeOn(byPath, world.day)
    return { Name: byPath.name, Type, Match: 'Exact', Stage: 'exact', Ambiguous: false }
  }
  const any = yield* matchName(world, text, null, noFuzzy)
  return any === null ? null : { ...any, Match: 'Fuzzy' }
}

const reasons = {
  1: { Reason: 'EditDistance1', Confidence: 'Medium' },
  2: { Reason: 'EditDistance2', Confidence: 'Low' },
} as const

const likelyOf = (
  { paths }: GatheredLocation,
  near: ReadonlyArray<NearLocation>,
): ReadonlyArray<LikelyLocation> => [
  ...[...paths.values()]
    .slice(0, likelyMax)
    .map(Name => ({ Name, Reason: 'QualifiedPath', Confidence: 'High' }) as const),
  ...[...near]
    .sort((one, other) => one.distance - other.distance || byFrequency(one.location, other.location))
    .slice(0, likelyMax)
    .map(({ location, distance }) => ({ Name: nameOf(location), ...reasons[distance] })),
]

const isPath = ({ key }: GatheredLocation): boolean => key.includes('/')

const conflict = (
  Kind: LocationConflict['Kind'],
  all: ReadonlyArray<string>,
): ReadonlyArray<LocationConflict> => (all.length === 0 ? [] : [{ Kind, With: all.slice(0, listedMax) }])

const conflictsOf = (
  location: GatheredLocation,
  near: ReadonlyArray<NearLocation>,
): ReadonlyArray<LocationConflict> => {
  const spellings = [...location.spellings.keys()]
  const cased = new Set(spellings.map(withoutMark))
  const { paths, parents } = location
  return [
    ...conflict('CaseVariant', cased.size > 1 ? [...cased] : []),
    ...conflict(
      'TrailingArtifact',
      spellings.filter(text => text.endsWith('*')),
    ),
    ...conflict('AmbiguousStandalone', location.isStandalone ? [...paths.values()] : []),
    ...conflict('InconsistentHierarchy', parents.size > 1 ? [...parents.values()] : []),
    ...conflict(
      'NearDuplicate',
      near.map(one => nameOf(one.location)),
    ),
  ]
}

const describeLocation = function* (
  world: NameWorld,
  location: GatheredLocation,
  near: ReadonlyArray<NearLocation>,
  noFuzzy: boolean,
): Sliced<NamedLocation> {
  const [, ...variants] = spellingsByFrequency(location)
  const name = nameOf(location)
  return {
    Name: name,
    NormalizedName: location.key,
    Variants: variants.slice(0, listedMax),
    OccurrenceCount: location.occurrences,
    InferredParents: [...location.parents.values()].slice(0, listedMax),
    InferredChildren: [...location.children.values()].slice(0, listedMax),
    LikelyResolvesTo: isPath(location) ? [] : likelyOf(location, near),
    EntityMatch: yield* matchOf(world, name, noFuzzy),
    Conflicts: conflictsOf(location, near),
    Witnesses: location.witnesses,
  }
}

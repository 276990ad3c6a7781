import { type NameKey, nameKey } from '#protocol/atoms.js'
import type { NameWitness } from '#protocol/lore/names.js'
import { isPlaceName } from '#src/domain/entities/below.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { countUnshared, letterMask, spellingDistance } from '#src/domain/names/near-spellings.js'
import { cleanPlace, stopsOf } from '#src/domain/sessions/reading/mentions.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/** A location text of sessions, all spellings of one key together. */
export interface GatheredLocation {
  readonly key: NameKey
  /** How often each spelling occurs, with an asterisk where it has one. */
  readonly spellings: Map<string, number>
  occurrences: number
  readonly parents: Map<NameKey, string>
  readonly children: Map<NameKey, string>
  /** Paths that end with it. */
  readonly paths: Map<NameKey, string>
  /** Used by itself, and not as a part of a path. */
  isStandalone: boolean
  readonly witnesses: Array<NameWitness>
}

export type GatheredLocations = Map<NameKey, GatheredLocation>

/** Adds the locations of one line of a session: its stops, the segments of a path, and the whole path. */
export const gatherLocations = (
  gathered: GatheredLocations,
  texts: ReadonlyArray<LocationText>,
  witness: NameWitness,
): void => {
  for (const { raw, clean } of texts) {
    const segments = segmentsOf(clean).slice(0, segmentsMax)
    const path = segments.join('/')
    const whole = locationFor(gathered, nameKey(path))
    if (whole !== null) {
      countSpelling(whole, segments.length > 1 ? path : raw, witness)
      if (segments.length === 1) whole.isStandalone = true
    }
    if (segments.length > 1) gatherPath(gathered, segments, path, witness)
  }
}

/** The stops of a location line, each cleaned (FORMATS 8). */
export const locationTexts = (entities: Entities, line: string): ReadonlyArray<LocationText> =>
  stopsOf(line, text => isPlaceName(entities, text))
    .map(raw => ({ raw, clean: cleanPlace(raw) }))
    .filter(({ clean }) => clean.length <= locationCharsMax)

/** The segments of a path, outermost first; a text without a slash is its only segment. */
export const segmentsOf = (text: string): ReadonlyArray<string> =>
  text
    .split('/')
    .map(part => part.trim())
    .filter(part => part !== '')

/** Another location that differs by one or two letters. */
export interface NearLocation {
  readonly location: GatheredLocation
  readonly distance: 1 | 2
}

/**
 * For each location the others that differ by at most two letters. Compares every two of the given ones, so the
 * caller limits their number. Yields after each.
 */
export const nearLocationsInSlices = function* (
  locations: ReadonlyArray<GatheredLocation>,
): Sliced<ReadonlyMap<GatheredLocation, ReadonlyArray<NearLocation>>> {
  const compared = locations
    .filter(isComparable)
    .map((location): Compared => ({ location, mask: letterMask(location.key), near: [] }))
  for (const [at, one] of compared.entries()) {
    for (let to = at + 1; to < compared.length; to += 1) {
      const other = compared[to]
      if (other !== undefined) compareTwo(one, other)
    }
    yield
  }
  return new Map(compared.map(({ location, near }) => [location, near]))
}

const witnessesMax = 5
/** How many spellings, parents, children and paths of one location are held. */
const relatedMax = 50
/** How many different locations are held. */
const locationsMax = 50_000
const segmentsMax = 16

const holdText = <K>(map: Map<K, string>, key: K, text: string): void => {
  if (map.size < relatedMax && !map.has(key)) map.set(key, text)
}

const locationFor = (gathered: GatheredLocations, key: NameKey): GatheredLocation | null => {
  const known = gathered.get(key)
  if (known !== undefined) return known
  if (gathered.size >= locationsMax || key === '') return null
  const fresh: GatheredLocation = {
    key,
    spellings: new Map(),
    occurrences: 0,
    parents: new Map(),
    children: new Map(),
    paths: new Map(),
    isStandalone: false,
    witnesses: [],
  }
  gathered.set(key, fresh)
  return fresh
}

const countSpelling = (location: GatheredLocation, raw: string, witness: NameWitness): void => {
  location.occurrences += 1
  const { spellings, witnesses } = location
  if (spellings.size < relatedMax || spellings.has(raw)) spellings.set(raw, (spellings.get(raw) ?? 0) + 1)
  const isKnown = witnesses.some(({ file, line }) => file === witness.file && line === witness.line)
  if (witnesses.length < witnessesMax && !isKnown) witnesses.push(witness)
}

/** Adds the segments of a path, each under the one before it. */
const gatherPath = (
  gathered: GatheredLocations,
  segments: ReadonlyArray<string>,
  path: string,
  witness: NameWitness,
): void => {
  segments.forEach((segment, at) => {
    const location = locationFor(gathered, nameKey(segment))
    if (location === null) return
    countSpelling(location, segment, witness)
    const [parent, child] = [segments[at - 1], segments[at + 1]]
    if (parent !== undefined) holdText(location.parents, nameKey(parent), parent)
    if (child !== undefined) holdText(location.children, nameKey(child), child)
    else holdText(location.paths, nameKey(path), path)
  })
}

/** A location as a session names it, and as it is grouped. */
interface LocationText {
  /** The text as written, without blanks around it. */
  readonly raw: string
  /** Without an asterisk at the end. */
  readonly clean: string
}

const locationCharsMax = 200

const distanceMax = 2
const charsMin = 3
/** Longer texts are not compared. */
const charsMax = 60
const nearMax = 20

interface Compared {
  readonly location: GatheredLocation
  readonly mask: number
  readonly near: Array<NearLocation>
}

const isComparable = ({ key }: GatheredLocation): boolean =>
  key.length >= charsMin && key.length <= charsMax && !key.includes('/')

const compareTwo = (one: Compared, other: Compared): void => {
  const [left, right] = [one.location.key, other.location.key]
  if (Math.abs(left.length - right.length) > distanceMax) return
  if (countUnshared(one.mask, other.mask) > distanceMax) return
  const distance = spellingDistance(left, right, distanceMax)
  if (distance !== 1 && distance !== distanceMax) return
  if (one.near.length < nearMax) one.near.push({ location: other.location, distance })
  if (other.near.length < nearMax) other.near.push({ location: one.location, distance })
}

import { distanceMax, type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { atOnce, type Sliced, units } from '#src/domain/slicing/sliced.js'
import { nameIndexOf } from './name-index.js'
import { comparedCharsMax, type NearSpelling } from './near-spellings.js'
import type { NameIndex } from './spelling-table.js'

/**
 * The headings whose heading or alias is nearest to an unknown name, nearest first; of one type, or of any with null.
 * Looks up the owners of a bounded number of spellings. Where the index has no forms, it finds beginnings of the name
 * alone. Yields every few thousand spellings.
 */
export const nearestNamesInSlices = function* (
  names: NameIndex,
  text: string,
  type: EntityType | null,
  shownMax = suggestedMax,
): Sliced<ReadonlyArray<string>> {
  const asked = nameKey(text)
  if (asked.length > comparedCharsMax) return []
  const nearest: Nearest = { far: new Map(), counts: [], max: suggestionLimit(asked.length), shownMax }
  const note = ({ key, distance }: NearSpelling): void => {
    if (distance > nearest.max) return
    for (const name of namesOf(names, key, type)) noteDistance(nearest, name, distance)
    tightenLimit(nearest)
  }
  // A name that begins with the other counts as distance one.
  for (const key of beginningsOf(asked)) note({ key, distance: 1 })
  const spellings = names.forms?.table.spellings
  for (const key of spellings?.longer(asked, longerMax) ?? []) note({ key, distance: 1 })
  yield
  let cost = 0
  for (const near of spellings?.near(asked, nearest.max) ?? []) {
    if (typeof near === 'number') {
      yield near * units.link + cost
      cost = 0
    } else {
      cost += units.nearSpelling
      note(near)
    }
  }
  return [...nearest.far]
    .sort(([left, near], [right, far]) => near - far || (left < right ? -1 : 1))
    .slice(0, shownMax)
    .map(([name]) => name)
}

/** `nearestNamesInSlices` at once: a few milliseconds among 30,000 names that are alike. */
export const nearestNames = (...args: Parameters<typeof nearestNamesInSlices>): ReadonlyArray<string> =>
  atOnce(nearestNamesInSlices(...args))

/** The nearest headings for the refusal of an unknown name: at most 5, of one type or of any with null. */
export const nearestBlocks = (
  entities: Entities,
  text: string,
  type: EntityType | null,
): ReadonlyArray<string> => nearestNames(nameIndexOf(entities), text, type, inRefusalMax)

/**
 * Adds the nearest known names to findings about an unknown name. Looks up at most `lookedUpMax` findings,
 * because each look-up computes thousands of distances; the others stay as they are. `say` makes the sentence. Yields
 * after each look-up.
 */
export const suggestNear = function* (
  findings: ReadonlyArray<Finding>,
  entities: Entities,
  lookedUpMax: number,
  say: (near: ReadonlyArray<string>) => string,
): Sliced<ReadonlyArray<Finding>> {
  const names = nameIndexOf(entities)
  const suggested: Array<Finding> = []
  let lookedUp = 0
  for (const finding of findings) {
    const { missing, suggestion } = finding
    if (missing === undefined || lookedUp >= lookedUpMax) {
      suggested.push(finding)
      continue
    }
    lookedUp += 1
    // Adoption may have made a block with the unknown name itself.
    const found = yield* nearestNamesInSlices(names, missing.name, missing.type)
    const near = found.filter(name => nameKey(name) !== nameKey(missing.name))
    const said = near.length === 0 ? null : say(near)
    const parts = [suggestion, said].filter(part => part !== null)
    suggested.push({ ...finding, suggestion: parts.length === 0 ? null : parts.join(' ') })
    yield
  }
  return suggested
}

/** The type whose headings are suggested for a value of a tag; null: any. */
export const suggestType = (tag: string): EntityType | null => suggestedTypes.get(tag) ?? null

const suggestedMax = 3
/** The most blocks of one spelling that are compared: thousands may share an alias. */
const ownersMax = 200
/** How many names at one distance are compared by their letters, and how many longer ones are looked at. */
const equalMax = 1_000
const longerMax = 1_000

/**
 * State of a search: the nearest names so far, how many are at each distance, and the largest distance that
 * still matters.
 */
interface Nearest {
  readonly far: Map<string, number>
  readonly counts: Array<number>
  max: number
  readonly shownMax: number
}

const noteDistance = ({ far, counts }: Nearest, name: string, distance: number): void => {
  const before = far.get(name)
  if (before !== undefined && before <= distance) return
  if (before !== undefined) counts[before] = (counts[before] ?? 0) - 1
  far.set(name, distance)
  counts[distance] = (counts[distance] ?? 0) + 1
}

/**
 * Lowers the largest distance to that of the last name that will be shown, or below it once very many names are so
 * far away.
 */
const tightenLimit = (nearest: Nearest): void => {
  let enough = 0
  for (let distance = 0; distance <= nearest.max; distance += 1) {
    enough += nearest.counts[distance] ?? 0
    if (enough >= nearest.shownMax) nearest.max = enough >= equalMax ? distance - 1 : distance
  }
}

const namesOf = ({ exact, alias }: NameIndex, key: NameKey, type: EntityType | null): ReadonlyArray<string> =>
  [...(exact.get(key) ?? []).slice(0, ownersMax), ...(alias.get(key) ?? []).slice(0, ownersMax)]
    .filter(owner => type === null || owner.type === type)
    .map(owner => owner.name)

/** The beginnings of a name that end before a blank: `wit` and `wit kłos` of `wit kłos stary`. */
const beginningsOf = (key: NameKey): ReadonlyArray<NameKey> =>
  [...key.matchAll(/ /gu)].map(({ index }) => nameKey(key.slice(0, index)))

/** How far a suggestion may be from a text of this length: as far as the fuzzy stage goes, and 2 for short texts. */
const suggestionLimit = (length: number): number => Math.min(distanceMax, Math.max(2, Math.floor(length / 3)))

const inRefusalMax = 5

const suggestedTypes: ReadonlyMap<string, EntityType> = new Map([
  ['lokacja', 'Lokacja'],
  ['drzwi', 'Lokacja'],
  ['grupa', 'Grupa'],
  ['region', 'Region'],
])

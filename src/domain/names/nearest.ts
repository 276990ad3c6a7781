import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { nameIndexOf } from './name-index.js'
import type { NameIndex } from './resolution.js'
import {
  comparedCharsMax,
  makeSpellingLengths,
  type NearSpelling,
  type SpellingLengths,
} from './spelling-lengths.js'

/** The spellings of an index that has no forms, by length; one with forms has them already. */
const bareLengths = perValue(({ exact, alias }: NameIndex): SpellingLengths => {
  const lengths = makeSpellingLengths()
  for (const index of [exact, alias]) for (const key of index.keys()) lengths.add(key)
  return lengths
})

const suggestedMax = 3
/** How many blocks of one spelling are told apart: thousands may share an alias. */
const ownersMax = 200

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

/** Lowers the largest distance to that of the last name that will be shown. */
const tightenLimit = (nearest: Nearest): void => {
  let enough = 0
  for (let distance = 0; distance < nearest.max; distance += 1) {
    enough += nearest.counts[distance] ?? 0
    if (enough >= nearest.shownMax) nearest.max = distance
  }
}

const namesOf = ({ exact, alias }: NameIndex, key: NameKey, type: EntityType | null): ReadonlyArray<string> =>
  [...(exact.get(key) ?? []).slice(0, ownersMax), ...(alias.get(key) ?? []).slice(0, ownersMax)]
    .filter(owner => type === null || owner.type === type)
    .map(owner => owner.name)

/** The beginnings of a name that end before a blank: `wit` and `wit kłos` of `wit kłos stary`. */
const beginningsOf = (key: NameKey): ReadonlyArray<NameKey> =>
  [...key.matchAll(/ /gu)].map(({ index }) => nameKey(key.slice(0, index)))

/**
 * The headings whose heading or alias is nearest to an unknown name, nearest first; of one type, or of any
 * with null. Scans every spelling and computes at most 20,000 distances.
 */
export const nearestNames = (
  names: NameIndex,
  text: string,
  type: EntityType | null,
  shownMax = suggestedMax,
): ReadonlyArray<string> => {
  const asked = nameKey(text)
  if (asked.length > comparedCharsMax) return []
  const lengths = names.forms?.table.lengths ?? bareLengths(names)
  const max = Math.max(2, Math.floor(asked.length / 3))
  const nearest: Nearest = { far: new Map(), counts: [], max, shownMax }
  const note = ({ key, distance }: NearSpelling): void => {
    for (const name of namesOf(names, key, type)) noteDistance(nearest, name, distance)
    tightenLimit(nearest)
  }
  // A name that begins with the other counts as distance one.
  for (const key of beginningsOf(asked)) note({ key, distance: 1 })
  lengths.visitLonger(asked, key => note({ key, distance: 1 }))
  lengths.visitNear(asked, () => nearest.max, note)
  return [...nearest.far]
    .sort(([left, near], [right, far]) => near - far || (left < right ? -1 : 1))
    .slice(0, shownMax)
    .map(([name]) => name)
}

const inRefusalMax = 5

/** The nearest headings for the refusal of an unknown name: at most 5, of one type or of any with null. */
export const nearestBlocks = (
  entities: Entities,
  text: string,
  type: EntityType | null,
): ReadonlyArray<string> => nearestNames(nameIndexOf(entities), text, type, inRefusalMax)

import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { nameIndexOf } from './name-index.js'
import type { NameIndex } from './resolution.js'
import { countUnshared, letterMask, spellingDistance } from './spelling-distance.js'

/** A spelling of blocks of one type, with a bit mask that makes comparing cheap. */
interface Spelling {
  readonly key: NameKey
  readonly mask: number
  readonly names: ReadonlyArray<string>
}

type ByType = ReadonlyMap<EntityType, ReadonlyArray<Spelling>>

const spellings = perValue(({ exact, alias }: NameIndex): ByType => {
  const byType = new Map<EntityType, Array<Spelling>>()
  for (const index of [exact, alias])
    for (const [key, owners] of index)
      for (const type of new Set(owners.map(owner => owner.type))) {
        const names = owners.filter(owner => owner.type === type).map(owner => owner.name)
        const list = byType.get(type) ?? []
        byType.set(type, list)
        list.push({ key, mask: letterMask(key), names })
      }
  return byType
})

const suggestedMax = 3
/** How many distances one search computes. Beyond that it returns the nearest of those compared so far. */
const distancesMax = 20_000
const comparedCharsMax = 100

/**
 * State of a search: the nearest names so far, how many are at each distance, and the largest distance that
 * still matters.
 */
interface Nearest {
  readonly far: Map<string, number>
  readonly counts: Array<number>
  max: number
  readonly shownMax: number
  distancesLeft: number
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

const compare = (
  nearest: Nearest,
  asked: NameKey,
  mask: number,
  { key, mask: other, names }: Spelling,
): void => {
  const begins = key.startsWith(`${asked} `) || asked.startsWith(`${key} `)
  if (
    !begins &&
    (Math.abs(key.length - asked.length) > nearest.max || countUnshared(mask, other) > nearest.max)
  )
    return
  if (nearest.distancesLeft === 0) return
  nearest.distancesLeft -= 1
  // A name that begins with the other counts as distance one.
  const far = begins ? 1 : spellingDistance(asked, key, nearest.max)
  if (far > nearest.max) return
  for (const name of names) noteDistance(nearest, name, far)
  tightenLimit(nearest)
}

const spellingsOf = function* (names: NameIndex, type: EntityType | null): Generator<Spelling, void> {
  const byType = spellings(names)
  if (type !== null) return yield* byType.get(type) ?? []
  for (const list of byType.values()) yield* list
}

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
  const mask = letterMask(asked)
  const max = Math.max(2, Math.floor(asked.length / 3))
  const nearest: Nearest = { far: new Map(), counts: [], max, shownMax, distancesLeft: distancesMax }
  for (const spelling of spellingsOf(names, type)) compare(nearest, asked, mask, spelling)
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

import type { NameKey } from '#protocol/atoms/name.js'
import { distanceMax } from '#protocol/names/limits.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { allCases } from '#src/domain/polish/cases.js'
import type { NameIndex } from '../resolution.js'
import type { StageHit } from './found.js'
import { spellingOwners } from './owners.js'
import type { NameAsked } from './query.js'

/** The shortest texts that may be one, two and three letters off. */
const lengthsMin = [5, 11, 16]

/** How far a text of this length may be from a name. */
export const fuzzyLimit = (length: number, maxDistance = distanceMax): number =>
  Math.min(maxDistance, distanceMax, lengthsMin.filter(min => length >= min).length)

interface Near {
  readonly key: NameKey
  readonly distance: number
  readonly owners: ReadonlyArray<Entity>
}

/** The spellings near the key that name a block which the options accept, up to one step beyond the nearest. */
const findNear = (names: NameIndex, query: NameAsked, limit: number): ReadonlyArray<Near> => {
  const found: Array<Near> = []
  let [max, near] = [limit, 0]
  const compared = names.forms?.table.lengths.visitNear(
    query.key,
    () => max,
    ({ key, distance }) => {
      near += 1
      const owners = spellingOwners(names, key, query.options)
      if (owners.length === 0) return
      found.push({ key, distance, owners })
      max = Math.min(max, distance + 1)
    },
  )
  query.options.compared?.(compared ?? 0, near)
  return found.sort((one, other) => one.distance - other.distance || (one.key < other.key ? -1 : 1))
}

/**
 * The one block whose heading or alias is nearest. None where another block is as near or one letter farther: a guess
 * without a margin is no answer.
 */
export const findNearest = (names: NameIndex, query: NameAsked): StageHit | null => {
  const limit = fuzzyLimit(query.key.length, query.options.maxDistance)
  if (limit < 1) return null
  const near = findNear(names, query, limit)
  const [best] = near
  if (best === undefined) return null
  const [owner] = best.owners
  const rivals = near.filter(({ distance }) => distance <= best.distance + 1).flatMap(({ owners }) => owners)
  if (owner === undefined || rivals.some(rival => rival !== owner)) return null
  return {
    stage: 'fuzzy',
    confidence: Math.round(Math.max(0, 1 - best.distance / query.key.length) * 100) / 100,
    candidates: [owner],
    readingOf: () => ({ form: best.key, cases: [], rule: `distance ${best.distance}` }),
    cases: allCases,
  }
}

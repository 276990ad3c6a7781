import { distanceMax, type NameKey } from '#protocol/atoms.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { allCases } from '#src/domain/polish/cases.js'
import { atOnce, type Sliced, units } from '#src/domain/slicing/sliced.js'
import type { NameIndex, ResolveOptions } from '../resolution.js'
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
  readonly owner: Entity
}

/** The nearer of two spellings of one block; of two equally near the first in order. */
const nearerOf = (one: Near | null, other: Near): Near =>
  one === null || (one.distance - other.distance || (one.key < other.key ? -1 : 1)) > 0 ? other : one

const hitOf = ({ key, distance, owner }: Near, asked: NameKey): StageHit => ({
  stage: 'fuzzy',
  confidence: Math.round(Math.max(0, 1 - distance / asked.length) * 100) / 100,
  candidates: [owner],
  readingOf: () => ({ form: key, cases: [], rule: `distance ${distance}` }),
  cases: allCases,
})

/** The owners of a spelling that the options accept, in as many turns as their filter needs. */
const ownersInTurns = function* (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): Sliced<ReadonlyArray<Entity>> {
  for (;;) {
    const owners = spellingOwners(names, key, options)
    if (options.turn?.isOver() !== true) return owners
    yield
    options.turn.begin()
  }
}

/** The nearest spelling of the blocks met so far, and whether it is one of several blocks. */
interface Met {
  readonly nearest: Near | null
  readonly isShared: boolean
}

const noneMet: Met = { nearest: null, isShared: false }

const meet = ({ nearest, isShared }: Met, near: Near): Met => ({
  nearest: nearerOf(nearest, near),
  isShared: isShared || (nearest !== null && nearest.owner !== near.owner),
})

/** Of two distances from 1 to this, neither is nearer by more than one letter. */
const closeMax = 2

/**
 * The one block whose heading or alias is nearest. None where another block is as near or one letter farther: a guess
 * without a margin is no answer. No block is at distance 0, which an earlier stage finds, so two blocks within 2
 * letters end the search. Yields every few thousand spellings, and at the end of each turn of the filter.
 */
export const findNearestInSlices = function* (
  names: NameIndex,
  { key: asked, options, isRemoved }: NameAsked,
): Sliced<StageHit | null> {
  if (isRemoved()) return null
  const limit = fuzzyLimit(asked.length, options.maxDistance)
  const spellings = limit < 1 ? undefined : names.forms?.table.spellings
  let [close, far] = [noneMet, noneMet]
  let cost = 0
  for (const near of spellings?.near(asked, limit) ?? []) {
    if (typeof near === 'number') {
      yield near * units.link + cost
      cost = 0
      continue
    }
    cost += units.nearSpelling
    if (near.distance <= closeMax || !far.isShared)
      for (const owner of yield* ownersInTurns(names, near.key, options)) {
        if (near.distance > closeMax) far = meet(far, { ...near, owner })
        else close = meet(close, { ...near, owner })
        if (close.isShared) return null
      }
  }
  const nearest = close.nearest ?? far.nearest
  const rivals = nearest !== null && nearest.distance >= closeMax ? meet(far, nearest) : noneMet
  return nearest === null || rivals.isShared ? null : hitOf(nearest, asked)
}

/** `findNearestInSlices` at once. */
export const findNearest = (names: NameIndex, query: NameAsked): StageHit | null =>
  atOnce(findNearestInSlices(names, query))

import { type Day, type EntityType, nameCharsMax } from '#protocol/atoms.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { insideOf } from '#src/domain/entities/places/inside.js'
import { typeOn } from '#src/domain/entities/state.js'
import { type Sliced, units } from '#src/domain/slicing/sliced.js'
import type { FilterTurn, NameIndex, Resolution, ResolveOptions } from '../resolution.js'
import { miss, resolveName, resolveNearInSlices } from '../resolve.js'
import { rangesOfNames } from '../stages/owners.js'

/** What names are resolved in; `day` is today. */
export interface NameWorld {
  readonly entities: Entities
  readonly names: NameIndex
  readonly day: Day
}

/** A name to be resolved for a caller who may read entities. */
export interface NameWish {
  readonly name: string
  /** Only blocks that have this type on the day. */
  readonly type: EntityType | null
  /** Only blocks in this place on the day. */
  readonly within: Entity | null
  /** Aliases count on this day; null: aliases of any day, and everything else as of today. */
  readonly activeOn: Day | null
  readonly noFuzzy: boolean
  readonly topN: number
  readonly maxDistance: number
}

/** Blocks that a wish has to look at before it pauses. */
const blocksPerSlice = 128

/** The filter of a wish, which remembers its answers so that the wish can be resolved in several turns. */
interface WishFilter {
  readonly within: (entity: Entity) => boolean
  readonly turn: FilterTurn
}

/** Remembers what `test` returns. Calls it `blocksPerSlice` times in a turn, and `note` at each question. */
const makeWishFilter = (test: (entity: Entity) => boolean, note: () => void): WishFilter => {
  const known = new Map<Entity, boolean>()
  let [left, isOver] = [blocksPerSlice, false]
  return {
    within: entity => {
      note()
      const answer = known.get(entity)
      if (answer !== undefined) return answer
      isOver ||= left === 0
      if (isOver) return false
      left -= 1
      const found = test(entity)
      known.set(entity, found)
      return found
    },
    turn: {
      isOver: () => isOver,
      begin: () => {
        ;[left, isOver] = [blocksPerSlice, false]
      },
    },
  }
}

const filterOf = (
  { entities, day: today }: NameWorld,
  wish: NameWish,
  note: () => void,
): WishFilter | null => {
  const { type, within, activeOn } = wish
  if (type === null && within === null && activeOn === null) return null
  const day = activeOn ?? today
  const isInside = within === null ? null : insideOf(entities, within, day)
  return makeWishFilter(entity => {
    // The stages ask for the ranges of its names: reading them is work of this turn.
    if (activeOn !== null) rangesOfNames(entity)
    return (type === null || typeOn(entity, day) === type) && (isInside === null || isInside(entity))
  }, note)
}

const optionsOf = (wish: NameWish, filter: WishFilter | null): ResolveOptions => ({
  upTo: 'lemma',
  anyGender: true,
  topN: wish.topN,
  maxDistance: wish.maxDistance,
  ...(wish.activeOn === null ? {} : { day: wish.activeOn }),
  ...filter,
})

/**
 * Resolves a name for a caller who may read entities. Yields every 128 blocks that the filters of the wish look at,
 * because thousands of blocks may share a name, and every few thousand spellings that the fuzzy stage looks at. A name
 * of more than 400 characters is a miss, and is not normalised.
 */
export const resolveWishInSlices = function* (world: NameWorld, wish: NameWish): Sliced<Resolution> {
  if (wish.name.length > nameCharsMax) return miss
  let cost: number = units.lookup
  const filter = filterOf(world, wish, () => {
    cost += units.candidate
  })
  const options = optionsOf(wish, filter)
  let found = resolveName(world.names, wish.name, options)
  yield cost
  while (options.turn?.isOver() === true) {
    cost = 0
    options.turn.begin()
    found = resolveName(world.names, wish.name, options)
    yield cost
  }
  if (found.stage !== 'miss' || wish.noFuzzy) return found
  return yield* resolveNearInSlices(world.names, wish.name, options)
}

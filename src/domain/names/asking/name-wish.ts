import type { Day } from '#protocol/atoms/day.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { isInside } from '#src/domain/entities/places/inside.js'
import { typeOn } from '#src/domain/entities/state.js'
import type { NameIndex, Resolution, ResolveOptions } from '../resolution.js'
import { resolveName } from '../resolve.js'

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

type Filter = (entity: Entity) => boolean

const filterOf = ({ entities, day: today }: NameWorld, wish: NameWish): Filter | null => {
  const { type, within } = wish
  const day = wish.activeOn ?? today
  if (type === null && within === null) return null
  return entity =>
    (type === null || typeOn(entity, day) === type) &&
    (within === null || isInside(entities, entity, within, day))
}

const optionsOf = (wish: NameWish, filter: Filter | null): ResolveOptions => ({
  upTo: wish.noFuzzy ? 'lemma' : 'fuzzy',
  topN: wish.topN,
  maxDistance: wish.maxDistance,
  ...(wish.activeOn === null ? {} : { day: wish.activeOn }),
  ...(filter === null ? {} : { within: filter }),
})

/** Resolves a name for a caller who may read entities. */
export const resolveWish = (world: NameWorld, wish: NameWish): Resolution =>
  resolveName(world.names, wish.name, optionsOf(wish, filterOf(world, wish)))

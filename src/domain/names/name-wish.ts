import type { Day } from '#protocol/atoms/day.js'
import { nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { isInside } from '#src/domain/entities/places/inside.js'
import { typeOn } from '#src/domain/entities/state.js'
import { isHiddenName } from './hidden-spellings.js'
import type { NameIndex, Resolution, ResolveOptions } from './resolution.js'
import { resolveName } from './resolve.js'

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

/** The candidates that the name reached only by a spelling that may not be confirmed. */
const findHiddenOwners = ({ candidates, readings }: Resolution, name: string): ReadonlyArray<Entity> => {
  const key = nameKey(name)
  const reached = readings.filter(({ entity, form }) => isHiddenName(entity, nameKey(form)))
  const called = candidates.filter(entity => isHiddenName(entity, key))
  return [...new Set([...called, ...reached.map(({ entity }) => entity)])]
}

/** How often owners by hidden spellings are left out; the answer is a miss if some still remain. */
const attemptsMax = 3

const missed: Resolution = {
  entity: null,
  stage: 'miss',
  confidence: 0,
  ambiguous: false,
  candidates: [],
  readings: [],
}

/**
 * Resolves a name for a caller who may read entities: a spelling with restricted topics counts as absent, so
 * that a guess confirms none.
 */
export const resolveWish = (world: NameWorld, wish: NameWish): Resolution => {
  const left = new Set<Entity>()
  const asked = filterOf(world, wish)
  let filter = asked
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const found = resolveName(world.names, wish.name, optionsOf(wish, filter))
    const hidden = findHiddenOwners(found, wish.name)
    if (hidden.length === 0) return found
    for (const entity of hidden) left.add(entity)
    filter = entity => !left.has(entity) && (asked === null || asked(entity))
  }
  return missed
}

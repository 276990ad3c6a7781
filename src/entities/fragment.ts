import type { Day } from '#protocol/atoms/day.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Window } from '#protocol/list.js'
import { listBytes } from '#src/lore/list-bytes.js'
import type { Entities, Entity } from './entity.js'
import { type OwnerName, projectionOf } from './projection.js'

/** What was made of a value for one day. */
interface OnDay {
  readonly day: Day
  readonly bytes: Buffer
}

interface Fragment extends OnDay {
  readonly owner: string | null
}

const fragments = new WeakMap<Entity, Fragment>()

/**
 * The projection of an entity as JSON (D16): made once a day for each entity that no commit changes, and again where
 * its owner goes by another name. Another day than `today` is made anew each time.
 */
export const fragmentOf = (entity: Entity, day: Day, today: Day, ownerOf: OwnerName): Buffer => {
  const known = fragments.get(entity)
  // An entity that names no owner has none whatever others are called.
  if (known?.day === day && (known.owner === null || known.owner === ownerOf(entity, day))) return known.bytes
  const owner = ownerOf(entity, day)
  const bytes = Buffer.from(JSON.stringify(projectionOf(entity, day, owner)), 'utf8')
  if (day === today) fragments.set(entity, { day, owner, bytes })
  return bytes
}

/** A single fetch: the fragment with `AlsoTypes` (D12). */
export const fetchBytes = (
  entity: Entity,
  alsoTypes: ReadonlyArray<EntityType>,
  day: Day,
  today: Day,
  ownerOf: OwnerName,
): Buffer => {
  const fragment = fragmentOf(entity, day, today, ownerOf)
  return Buffer.concat([
    fragment.subarray(0, fragment.length - 1),
    Buffer.from(`,"AlsoTypes":${JSON.stringify(alsoTypes)}}`, 'utf8'),
  ])
}

/** The list of the projections that the window takes. */
export const entityList = (
  all: ReadonlyArray<Entity>,
  window: Window,
  day: Day,
  today: Day,
  ownerOf: OwnerName,
): Buffer => listBytes(all, window, entity => fragmentOf(entity, day, today, ownerOf))

const corpora = new WeakMap<Entities, OnDay>()

/** The whole corpus as one list (D16); that of today is kept as long as the entities live. */
export const corpusBytes = (entities: Entities, day: Day, today: Day, ownerOf: OwnerName): Buffer => {
  const known = corpora.get(entities)
  if (known?.day === day) return known.bytes
  const bytes = entityList(entities.all, { named: false, limit: null, offset: 0 }, day, today, ownerOf)
  if (day === today) corpora.set(entities, { day, bytes })
  return bytes
}

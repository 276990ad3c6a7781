import type { Day } from '#protocol/atoms/day.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Window } from '#protocol/list.js'
import { listBytes } from '#src/lore/list-bytes.js'
import type { Entities, Entity } from './entity.js'
import { projectionOf } from './projection.js'

/** What was made of a value for one day. */
interface OnDay {
  readonly day: Day
  readonly bytes: Buffer
}

/** Keeps bytes of `today` per value for as long as the value lives; another day is made anew each time. */
const keptPerDay = <K extends object>(make: (key: K, day: Day, today: Day) => Buffer) => {
  const kept = new WeakMap<K, OnDay>()
  return (key: K, day: Day, today: Day): Buffer => {
    const known = kept.get(key)
    if (known?.day === day) return known.bytes
    const bytes = make(key, day, today)
    if (day === today) kept.set(key, { day, bytes })
    return bytes
  }
}

/** The projection of an entity as JSON (D16): made once a day for each entity that no commit changes. */
export const fragmentOf = keptPerDay((entity: Entity, day) =>
  Buffer.from(JSON.stringify(projectionOf(entity, day)), 'utf8'),
)

/** A single fetch: the fragment with `AlsoTypes` (D12). */
export const fetchBytes = (
  entity: Entity,
  alsoTypes: ReadonlyArray<EntityType>,
  day: Day,
  today: Day,
): Buffer => {
  const fragment = fragmentOf(entity, day, today)
  return Buffer.concat([
    fragment.subarray(0, fragment.length - 1),
    Buffer.from(`,"AlsoTypes":${JSON.stringify(alsoTypes)}}`, 'utf8'),
  ])
}

/** The list of the projections that the window takes. */
export const entityList = (all: ReadonlyArray<Entity>, window: Window, day: Day, today: Day): Buffer =>
  listBytes(all, window, entity => fragmentOf(entity, day, today))

/** The whole corpus as one list (D16). */
export const corpusBytes = keptPerDay((entities: Entities, day, today) =>
  entityList(entities.all, { named: false, limit: null, offset: 0 }, day, today),
)

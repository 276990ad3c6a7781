import type { Day } from '#protocol/atoms.js'
import type { Entities, Entity } from '../entity.js'
import { doorsOn, locationOn, statusOn } from '../state.js'
import { placeNamed } from './place.js'

/** The places of a snapshot on a day, and the relations between them. */
export interface Places {
  readonly day: Day
  readonly entities: Entities
  /** Every Lokacja, in file and line order. */
  readonly all: ReadonlyArray<Entity>
  /** The parent by `@lokacja`, when its value names another place. */
  readonly parents: ReadonlyMap<Entity, Entity>
  /** The places directly in each place, without deleted ones. */
  readonly children: ReadonlyMap<Entity, ReadonlyArray<Entity>>
  /** The places that `@drzwi` rows lead to, each once. */
  readonly doors: ReadonlyMap<Entity, ReadonlySet<Entity>>
}

/** The Lokacja that a name or a slash path means; null when none or several match. */
export const locationMeant = (entities: Entities, text: string, day: Day): Entity | null => {
  const place = placeNamed(entities, text, day)
  return place?.type === 'Lokacja' ? place : null
}

const childrenOf = (
  parents: ReadonlyMap<Entity, Entity>,
  day: Day,
): ReadonlyMap<Entity, ReadonlyArray<Entity>> => {
  const children = new Map<Entity, Array<Entity>>()
  for (const [place, parent] of parents) {
    if (statusOn(place, day) === 'Usunięty') continue
    const known = children.get(parent)
    if (known === undefined) children.set(parent, [place])
    else known.push(place)
  }
  return children
}

/** The places on a day. Linear in the rows of the places. */
export const placesOn = (entities: Entities, day: Day): Places => {
  const all = entities.byType.get('Lokacja') ?? []
  const parents = new Map<Entity, Entity>()
  const doors = new Map<Entity, ReadonlySet<Entity>>()
  for (const place of all) {
    const stated = locationOn(place, day)
    const parent = stated === null ? null : locationMeant(entities, stated, day)
    if (parent !== null && parent !== place) parents.set(place, parent)
    const targets = doorsOn(place, day).flatMap(value => locationMeant(entities, value, day) ?? [])
    doors.set(place, new Set(targets.filter(target => target !== place)))
  }
  return { day, entities, all, parents, children: childrenOf(parents, day), doors }
}

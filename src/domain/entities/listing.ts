import { type Day, type EntityType, nameKey, type Status } from '#protocol/atoms.js'
import type { Entities, Entity } from './entity.js'
import { placeNamed } from './places/place.js'
import { visibleEntity } from './shown-rows.js'
import { groupsOn, locationOn, statusOn, typeOn } from './state.js'

/** The filters of `GET /entities` (B 4.1); an absent one matches everything. */
export interface EntityFilter {
  readonly type?: EntityType | undefined
  readonly status?: Status | undefined
  readonly group?: string | undefined
  readonly location?: string | undefined
  /** A part of the heading. */
  readonly name?: string | undefined
}

type Test = (entity: Entity) => boolean

const inGroup = (entities: Entities, group: string, day: Day): Test => {
  const keys = new Set([nameKey(group)])
  for (const owner of entities.byHeading.get(nameKey(group)) ?? entities.byAlias.get(nameKey(group)) ?? [])
    keys.add(owner.key)
  return entity => groupsOn(visibleEntity(entity), day).some(name => keys.has(nameKey(name)))
}

const at = (entities: Entities, location: string, day: Day): Test => {
  const key = nameKey(location)
  const place = placeNamed(entities, location, day)
  return entity => {
    const text = locationOn(visibleEntity(entity), day)
    if (text === null) return false
    return nameKey(text) === key || (place !== null && placeNamed(entities, text, day) === place)
  }
}

/**
 * The entities that pass every filter on a day, in their order. Filters read the rows that answers show, so none
 * confirms a guess of a restricted topic.
 */
export const filterEntities = (entities: Entities, filter: EntityFilter, day: Day): ReadonlyArray<Entity> => {
  const tests: Array<Test> = []
  const { type, status, group, location, name } = filter
  if (type !== undefined) tests.push(entity => typeOn(entity, day) === type)
  if (name !== undefined) {
    const part = nameKey(name)
    tests.push(entity => entity.key.includes(part))
  }
  if (status !== undefined) tests.push(entity => statusOn(entity, day) === status)
  if (group !== undefined) tests.push(inGroup(entities, group, day))
  if (location !== undefined) tests.push(at(entities, location, day))
  return tests.length === 0 ? entities.all : entities.all.filter(entity => tests.every(test => test(entity)))
}

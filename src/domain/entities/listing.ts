import { type Day, type EntityType, nameKey, type Status } from '#protocol/atoms.js'
import { ownerBlockOn } from './entities.js'
import { type Entities, type Entity, groupsOn, locationOn, statusOn, typeOn } from './entity.js'
import { placeNamed } from './places.js'
import { visibleEntity } from './projection.js'

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

/** Follows `@należy_do` on a day up to a Gracz; a Gracz owns itself. A cycle has no Gracz. */
export const ownerChain = (entities: Entities, entity: Entity, day: Day): OwnerChain => {
  const through = new Set<Entity>()
  let at: Entity | null = entity
  while (at !== null) {
    if (at.type === 'Gracz') return { player: at, through: [...through].slice(1) }
    if (through.has(at)) break
    through.add(at)
    at = ownerBlockOn(entities, at, day)?.block ?? null
  }
  return { player: null, through: [] }
}

/** The filters of `GET /entities` (B 4.1); an absent one matches everything. */
interface EntityFilter {
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

/** The Gracz who finally owns an entity, and the owners in between. */
interface OwnerChain {
  readonly player: Entity | null
  readonly through: ReadonlyArray<Entity>
}

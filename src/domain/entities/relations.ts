import type { Day } from '#protocol/atoms.js'
import type { EntityName, EntityReference } from '#protocol/entities.js'
import type { Entities, Entity } from './entity.js'
import { entityMeant, ownerBlockOn } from './meaning.js'
import { placeNamed } from './places/place.js'
import { visibleEntity } from './shown-rows.js'
import { doorsOn, groupsOn, locationOn, typeOn } from './state.js'

export const entityNameOf = (entity: Entity, day: Day): EntityName => ({
  name: entity.name,
  type: typeOn(entity, day),
})

const reference = (text: string, entity: Entity | null, day: Day): EntityReference =>
  entity === null ? { name: text, type: null } : entityNameOf(entity, day)

/** By block: the entities that name it as owner, group or place on a day. */
interface Reverse {
  readonly owned: ReadonlyMap<Entity, ReadonlyArray<Entity>>
  readonly members: ReadonlyMap<Entity, ReadonlyArray<Entity>>
  readonly residents: ReadonlyMap<Entity, ReadonlyArray<Entity>>
}

const put = (map: Map<Entity, Array<Entity>>, owner: Entity | null, entity: Entity): void => {
  if (owner === null || owner === entity) return
  const known = map.get(owner)
  if (known === undefined) map.set(owner, [entity])
  else known.push(entity)
}

const reverseOf = (entities: Entities, day: Day): Reverse => {
  const owned = new Map<Entity, Array<Entity>>()
  const members = new Map<Entity, Array<Entity>>()
  const residents = new Map<Entity, Array<Entity>>()
  for (const entity of entities.all) {
    const [owner, location] = [ownerBlockOn(entities, entity, day), locationOn(entity, day)]
    if (owner !== null) put(owned, owner.block, entity)
    if (location !== null) put(residents, placeNamed(entities, location, day), entity)
    for (const group of groupsOn(entity, day)) put(members, entityMeant(entities, group, ['Grupa']), entity)
  }
  return { owned, members, residents }
}

const reverses = new WeakMap<Entities, { readonly day: Day; readonly reverse: Reverse }>()

/** The reverse index, cached per snapshot part for one day; another day replaces it. */
const reverseOn = (entities: Entities, day: Day): Reverse => {
  const known = reverses.get(entities)
  if (known?.day === day) return known.reverse
  const reverse = reverseOf(entities, day)
  reverses.set(entities, { day, reverse })
  return reverse
}

/** The relations of an entity to others on a day, in both directions. */
export const relationsOn = (entities: Entities, entity: Entity, day: Day) => {
  const reverse = reverseOn(entities, day)
  const shown = visibleEntity(entity)
  const [owner, location] = [ownerBlockOn(entities, shown, day), locationOn(shown, day)]
  const named = (one: Entity): EntityName => entityNameOf(one, day)
  const place = (text: string): EntityReference => reference(text, placeNamed(entities, text, day), day)
  return {
    owner: owner === null ? null : reference(owner.text, owner.block, day),
    owned: (reverse.owned.get(entity) ?? []).map(named),
    groups: groupsOn(shown, day).map(text => reference(text, entityMeant(entities, text, ['Grupa']), day)),
    members: (reverse.members.get(entity) ?? []).map(named),
    location: location === null ? null : place(location),
    residents: (reverse.residents.get(entity) ?? []).map(named),
    doors: doorsOn(shown, day).map(place),
    refs:
      entity.ref === null
        ? []
        : [{ file: entity.ref.file, form: entity.ref.form, brokenReason: entity.ref.broken }],
  }
}

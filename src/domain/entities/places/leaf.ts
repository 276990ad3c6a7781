import { type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity, Owners } from '../entity.js'
import { firstOfType } from '../homonyms.js'

/** Types that a location may name, in the order in which a bare name is looked up (FORMATS 1.7). */
const placeTypes: ReadonlyArray<EntityType> = ['Lokacja', 'Region', 'Mapa']

/** Splits `<leaf> (<parent>)`; `parent` is null for a heading without one (FORMATS 10, A 2.5). */
export const leafOf = (heading: string): { readonly leaf: string; readonly parent: string | null } => {
  const open = heading.endsWith(')') ? heading.lastIndexOf('(') : -1
  const leaf = open <= 0 ? '' : heading.slice(0, open).trim()
  return leaf === '' ? { leaf: heading, parent: null } : { leaf, parent: heading.slice(open + 1, -1).trim() }
}

const leaves = perValue((entities: Entities): ReadonlyMap<NameKey, ReadonlyArray<Entity>> => {
  const found = new Map<NameKey, Array<Entity>>()
  for (const entity of entities.byType.get('Lokacja') ?? []) {
    const key = nameKey(leafOf(entity.name).leaf)
    const known = found.get(key)
    if (known === undefined) found.set(key, [entity])
    else known.push(entity)
  }
  return found
})

/** The places with a leaf, in index order. */
export const placesOfLeaf = (entities: Entities, key: NameKey): ReadonlyArray<Entity> =>
  leaves(entities).get(key) ?? []

/** The place among the entities with a spelling. */
export const placeWith = (owners: Owners, key: NameKey): Entity | undefined => {
  const found = owners.get(key)
  if (found === undefined) return undefined
  for (const type of placeTypes) {
    const place = firstOfType(found, type)
    if (place !== undefined) return place
  }
  return undefined
}

/**
 * The place of a name without slashes: by heading, alias, or a leaf that only one place has. Null when none
 * or several match.
 */
export const placeOf = (entities: Entities, text: string): Entity | null => {
  const key = nameKey(text)
  const known = placeWith(entities.byHeading, key) ?? placeWith(entities.byAlias, key)
  if (known !== undefined) return known
  const found = placesOfLeaf(entities, key)
  return found.length === 1 ? (found[0] ?? null) : null
}

/** Whether a text without slashes is a name of places: a heading, another spelling, or the leaf of one or several. */
export const isPlaceName = (entities: Entities, text: string): boolean => {
  const key = nameKey(text)
  const isNamed = [entities.byHeading, entities.byAlias].some(owners => placeWith(owners, key) !== undefined)
  return isNamed || placesOfLeaf(entities, key).length > 0
}

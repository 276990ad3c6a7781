import { type Day, type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import { perDay, perValue } from '#src/domain/caching/per-value.js'
import { firstOfType } from './entities.js'
import { type Entities, type Entity, locationOn, type Owners } from './entity.js'

/** The names of a slash path, outermost first. */
export const partsOf = (path: string): ReadonlyArray<string> =>
  path.split('/').filter(part => part.trim() !== '')

/**
 * Whether a place lies below others, none of which has the name or is the place `above`. False where the way up ends at
 * a name without a block.
 */
export const liesElsewhere = (
  entities: Entities,
  place: Entity,
  { name, above }: { readonly name: NameKey; readonly above: Entity },
  day: Day,
): boolean => {
  const step = steps(entities, day)
  let at = place
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const { names, next } = step(at)
    if (at === above || names.includes(name)) return false
    if (next === null) return depth > 0 && names.length === 0
    at = next
  }
  return false
}

/**
 * The first place of a leaf that lies below a name on a day, searched 64 places up. All places of a leaf are
 * climbed once and the result is shared, because thousands of rows may name a leaf that thousands of places
 * have.
 */
export const placeBelow = (entities: Entities, leaf: NameKey, above: NameKey, day: Day): Entity | undefined =>
  leafBelow(entities, day)(leaf).get(above)

/** Splits `<leaf> (<parent>)`; `parent` is null for a heading without one (FORMATS 10, A 2.5). */
export const leafOf = (heading: string): { readonly leaf: string; readonly parent: string | null } => {
  const open = heading.endsWith(')') ? heading.lastIndexOf('(') : -1
  const leaf = open <= 0 ? '' : heading.slice(0, open).trim()
  return leaf === '' ? { leaf: heading, parent: null } : { leaf, parent: heading.slice(open + 1, -1).trim() }
}

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

/** How far up the tree ancestors are searched; a deeper tree is a cycle or a mistake. */
const maxDepth = 64

/** The names in the location of a place, and the place above it. */
interface Step {
  readonly names: ReadonlyArray<NameKey>
  readonly next: Entity | null
}

/** Finds the next place by leaf only, so that a path that names itself ends. */
const stepFrom = (entities: Entities, place: Entity, day: Day): Step => {
  const parts = partsOf(locationOn(place, day) ?? '').slice(-maxDepth)
  const leaf = parts.at(-1)
  const next = leaf === undefined ? null : placeOf(entities, leaf)
  const above = next === null ? [] : [next.key, nameKey(leafOf(next.name).leaf)]
  return { names: [...parts.map(nameKey), ...above], next }
}

const steps = perDay((entities: Entities, day: Day) => {
  const known = new Map<Entity, Step>()
  return (place: Entity): Step => {
    const step = known.get(place) ?? stepFrom(entities, place, day)
    known.set(place, step)
    return step
  }
})

/** For each name above places of a leaf, the first of those places that is below it. */
const byName = (entities: Entities, leaf: NameKey, day: Day): ReadonlyMap<NameKey, Entity> => {
  const first = new Map<NameKey, Entity>()
  const step = steps(entities, day)
  for (const place of placesOfLeaf(entities, leaf)) {
    let at: Entity | null = place
    for (let depth = 0; depth < maxDepth && at !== null; depth += 1) {
      const { names, next }: Step = step(at)
      for (const name of names) if (!first.has(name)) first.set(name, place)
      at = next
    }
  }
  return first
}

const leafBelow = perDay((entities: Entities, day: Day) => {
  const known = new Map<NameKey, ReadonlyMap<NameKey, Entity>>()
  return (leaf: NameKey): ReadonlyMap<NameKey, Entity> => {
    const first = known.get(leaf) ?? byName(entities, leaf, day)
    known.set(leaf, first)
    return first
  }
})

/** Types that a location may name, in the order in which a bare name is looked up (FORMATS 1.7). */
const placeTypes: ReadonlyArray<EntityType> = ['Lokacja', 'Region', 'Mapa']

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

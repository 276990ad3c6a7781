import type { Day } from '#protocol/atoms/day.js'
import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import { perValue } from '#src/lore/per-value.js'
import type { Entities, Entity } from './entity.js'
import { doorsOn, locationOn } from './state.js'

/** Types that a location may name, in the order in which a bare name is sought among them (FORMATS 1.7). */
const placeTypes: ReadonlyArray<EntityType> = ['Lokacja', 'Region', 'Mapa']

/** `<leaf> (<parent>)` taken apart; `parent` is null for a heading without one (FORMATS 10, A 2.5). */
export const leafOf = (heading: string): { readonly leaf: string; readonly parent: string | null } => {
  const open = heading.endsWith(')') ? heading.lastIndexOf('(') : -1
  const leaf = open <= 0 ? '' : heading.slice(0, open).trim()
  return leaf === '' ? { leaf: heading, parent: null } : { leaf, parent: heading.slice(open + 1, -1).trim() }
}

const leavesOf = perValue((entities: Entities): ReadonlyMap<NameKey, ReadonlyArray<Entity>> => {
  const leaves = new Map<NameKey, Array<Entity>>()
  for (const entity of entities.byType.get('Lokacja') ?? []) {
    const key = nameKey(leafOf(entity.name).leaf)
    const known = leaves.get(key)
    if (known === undefined) leaves.set(key, [entity])
    else known.push(entity)
  }
  return leaves
})

const placeWith = (owners: ReadonlyMap<NameKey, ReadonlyArray<Entity>>, key: NameKey): Entity | undefined => {
  const found = owners.get(key)
  if (found === undefined) return undefined
  for (const type of placeTypes) {
    const place = found.find(entity => entity.type === type)
    if (place !== undefined) return place
  }
  return undefined
}

/**
 * The place of a name without slashes: heading, alias, then a leaf that only one place has. Null when none or
 * several.
 */
const placeOf = (entities: Entities, text: string): Entity | null => {
  const key = nameKey(text)
  const known = placeWith(entities.byHeading, key) ?? placeWith(entities.byAlias, key)
  if (known !== undefined) return known
  const leaves = leavesOf(entities).get(key) ?? []
  return leaves.length === 1 ? (leaves[0] ?? null) : null
}

/** How far up an ancestor is sought: deeper trees than this are cycles or mistakes. */
const maxDepth = 64

const partsOf = (path: string): ReadonlyArray<string> => path.split('/').filter(part => part.trim() !== '')

/** Climbs by leaves alone, so that a path that names itself ends. */
const isBelow = (entities: Entities, place: Entity, above: NameKey, day: Day): boolean => {
  let at: Entity | null = place
  for (let depth = 0; depth < maxDepth && at !== null; depth += 1) {
    const parts: ReadonlyArray<string> = partsOf(locationOn(at, day) ?? '')
    if (parts.some(part => nameKey(part) === above)) return true
    const leaf: string | undefined = parts.at(-1)
    at = leaf === undefined ? null : placeOf(entities, leaf)
    if (at !== null && (at.key === above || nameKey(leafOf(at.name).leaf) === above)) return true
  }
  return false
}

const belowPath = (entities: Entities, parts: ReadonlyArray<string>, day: Day): Entity | null => {
  const leaf = parts.at(-1) ?? ''
  const parent = parts.at(-2)
  const qualified = placeWith(entities.byHeading, nameKey(`${leaf} (${parent ?? ''})`))
  if (parent === undefined || qualified !== undefined) return qualified ?? placeOf(entities, leaf)
  const candidates = leavesOf(entities).get(nameKey(leaf)) ?? []
  if (candidates.length < 2) return placeOf(entities, leaf)
  const above = nameKey(parent)
  return candidates.find(place => isBelow(entities, place, above, day)) ?? placeOf(entities, leaf)
}

/**
 * The place that a value of `@lokacja`, `@drzwi` or a session's location means: `B` by heading, alias or a
 * leaf that is nobody else's; `A/B` is B below A (FORMATS 10). Null when no block answers, or several do and
 * nothing tells them apart.
 */
export const placeNamed = (entities: Entities, text: string, day: Day): Entity | null => {
  if (!text.includes('/')) return placeOf(entities, text)
  const whole = placeWith(entities.byHeading, nameKey(text))
  if (whole !== undefined) return whole
  const parts = partsOf(text)
  return parts.length === 0 ? null : belowPath(entities, parts, day)
}

/** The places whose leaf a value ends in, however many share it. */
export const placesMeant = (entities: Entities, text: string): ReadonlyArray<Entity> =>
  leavesOf(entities).get(nameKey(text.includes('/') ? (partsOf(text).at(-1) ?? '') : text)) ?? []

/** Whether any place answers to a value, be it a leaf that several places share. */
export const isPlaceKnown = (entities: Entities, text: string, day: Day): boolean =>
  placeNamed(entities, text, day) !== null || placesMeant(entities, text).length > 0

/** The parent of a place on a day: active `@lokacja`, else the first active `@drzwi` (FORMATS 1.7). */
export const parentOf = (
  entities: Entities,
  place: Entity,
  day: Day,
): { readonly text: string; readonly place: Entity | null } | null => {
  const text = locationOn(place, day) ?? doorsOn(place, day)[0] ?? null
  return text === null ? null : { text, place: placeNamed(entities, text, day) }
}

import { type Day, nameKey } from '#protocol/atoms.js'
import { perDay } from '#src/domain/caching/per-value.js'
import { liesElsewhere, partsOf, placeBelow, placeOf, placesOfLeaf, placeWith } from './below.js'
import { homonymsMax } from './entities.js'
import { doorsOn, type Entities, type Entity, locationOn, statusOn } from './entity.js'

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

/**
 * The place that a value of `@lokacja`, `@drzwi` or a session's location means: `B` by heading, alias or a
 * leaf that no other place has; `A/B` is B below A (FORMATS 10), and no B that lies elsewhere. Null when no block
 * matches, or several do and nothing distinguishes them. A leaf of more than 200 places matches only by its heading.
 */
export const placeNamed = (entities: Entities, text: string, day: Day): Entity | null => {
  if (!text.includes('/')) return placeOf(entities, text)
  const whole = placeWith(entities.byHeading, nameKey(text))
  if (whole !== undefined) return whole
  const parts = partsOf(text)
  return parts.length === 0 ? null : belowPath(entities, parts, day)
}

/** The places with the leaf at the end of a value, however many there are. */
export const placesMeant = (entities: Entities, text: string): ReadonlyArray<Entity> =>
  placesOfLeaf(entities, nameKey(text.includes('/') ? (partsOf(text).at(-1) ?? '') : text))

/** The parent of a place on a day: active `@lokacja`, else the first active `@drzwi` (FORMATS 1.7). */
export const parentOf = (entities: Entities, place: Entity, day: Day): Parent | null => {
  const known = parents(entities, day)
  const before = known.get(place)
  if (before !== undefined) return before
  const parent = parentFrom(entities, place, day)
  known.set(place, parent)
  return parent
}

/**
 * Returns whether an entity lies in a place on a day: it is the place, or its location, or a part of the path of
 * its location, is the place or lies below it. Searches 64 places up.
 */
export const insideOf = (entities: Entities, place: Entity, day: Day): ((entity: Entity) => boolean) => {
  const inside = knownOf(entities, place, day)
  return entity => {
    const found = inside.answers.get(entity) ?? liesIn(entities, entity, inside)
    inside.answers.set(entity, found)
    return found
  }
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

const belowPath = (entities: Entities, parts: ReadonlyArray<string>, day: Day): Entity | null => {
  const leaf = parts.at(-1) ?? ''
  const parent = parts.at(-2)
  const qualified = placeWith(entities.byHeading, nameKey(`${leaf} (${parent ?? ''})`))
  if (parent === undefined || qualified !== undefined) return qualified ?? placeOf(entities, leaf)
  const key = nameKey(leaf)
  const sharing = placesOfLeaf(entities, key).length
  const below =
    sharing < 2 || sharing > homonymsMax ? undefined : placeBelow(entities, key, nameKey(parent), day)
  const only = below ?? placeOf(entities, leaf)
  const above = placeOf(entities, parent)
  if (below !== undefined || only === null || above?.type !== 'Lokacja') return only
  return liesElsewhere(entities, only, { name: nameKey(parent), above }, day) ? null : only
}

/** The stated location of a place: the text, and the place that it means. */
interface Parent {
  readonly text: string
  readonly place: Entity | null
}

const parentFrom = (entities: Entities, place: Entity, day: Day): Parent | null => {
  const text = locationOn(place, day) ?? doorsOn(place, day)[0] ?? null
  return text === null ? null : { text, place: placeNamed(entities, text, day) }
}

const parents = perDay((_entities: Entities, _day: Day) => new Map<Entity, Parent | null>())

/** How far up the tree a place is searched; a deeper tree is a cycle or a mistake. */
const depthMax = 64

/** The parts of a slash path that are looked up. */
const partsMax = 16

/** What is known of one place on one day: whether blocks lie in it, and whether places are it or lie below it. */
interface KnownInside {
  readonly place: Entity
  readonly day: Day
  readonly answers: Map<Entity, boolean>
  readonly below: Map<Entity, boolean>
}

/**
 * Whether a place is `place` or lies below it. The places on the way share the answer, except where the way is too
 * long: they are nearer.
 */
const isAtOrBelow = (
  entities: Entities,
  start: Entity | null,
  { place, day, below }: KnownInside,
): boolean => {
  const way: Array<Entity> = []
  const noteAll = (isBelow: boolean): boolean => {
    for (const one of way) below.set(one, isBelow)
    return isBelow
  }
  let at = start
  while (at !== null && way.length < depthMax) {
    if (at === place) return noteAll(true)
    way.push(at)
    at = parentOf(entities, at, day)?.place ?? null
  }
  return at === null ? noteAll(false) : false
}

const isPlaceInside = (entities: Entities, start: Entity | null, known: KnownInside): boolean => {
  if (start === null) return false
  const found = known.below.get(start) ?? isAtOrBelow(entities, start, known)
  known.below.set(start, found)
  return found
}

const liesIn = (entities: Entities, entity: Entity, known: KnownInside): boolean => {
  const { place, day } = known
  if (entity === place) return true
  if (entity.type === 'Lokacja') return isPlaceInside(entities, entity, known)
  const location = locationOn(entity, day)
  if (location === null) return false
  const parts = location.includes('/') ? partsOf(location).slice(0, partsMax) : []
  return [location, ...parts].some(text => isPlaceInside(entities, placeNamed(entities, text, day), known))
}

/** Places of which answers are remembered: thousands of blocks may share a name that many queries ask for. */
const placesMax = 8

const known = new WeakMap<Entities, ReadonlyArray<KnownInside>>()

const knownOf = (entities: Entities, place: Entity, day: Day): KnownInside => {
  const all = known.get(entities) ?? []
  const found = all.find(one => one.place === place && one.day === day)
  if (found !== undefined) return found
  const added = { place, day, answers: new Map<Entity, boolean>(), below: new Map<Entity, boolean>() }
  known.set(entities, [...all.slice(-(placesMax - 1)), added])
  return added
}

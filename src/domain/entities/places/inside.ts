import type { Day } from '#protocol/atoms.js'
import type { Entities, Entity } from '../entity.js'
import { locationOn } from '../state.js'
import { partsOf } from './below.js'
import { parentOf, placeNamed } from './place.js'

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

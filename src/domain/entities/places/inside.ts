import type { Day } from '#protocol/atoms/day.js'
import type { Entities, Entity } from '../entity.js'
import { locationOn } from '../state.js'
import { partsOf } from './below.js'
import { parentOf, placeNamed } from './place.js'

/** How far up the tree a place is searched; a deeper tree is a cycle or a mistake. */
const depthMax = 64

/** The parts of a slash path that are looked up. */
const partsMax = 16

const isAtOrBelow = (entities: Entities, start: Entity | null, place: Entity, day: Day): boolean => {
  let at = start
  for (let depth = 0; depth < depthMax && at !== null; depth += 1) {
    if (at === place) return true
    at = parentOf(entities, at, day)?.place ?? null
  }
  return false
}

/**
 * Whether an entity lies in a place on a day: it is the place, or its location, or a part of the path of its
 * location, is the place or lies below it. Searches 64 places up.
 */
export const isInside = (entities: Entities, entity: Entity, place: Entity, day: Day): boolean => {
  if (entity === place) return true
  if (entity.type === 'Lokacja') return isAtOrBelow(entities, entity, place, day)
  const location = locationOn(entity, day)
  if (location === null) return false
  const parts = location.includes('/') ? partsOf(location).slice(0, partsMax) : []
  return [location, ...parts].some(text => isAtOrBelow(entities, placeNamed(entities, text, day), place, day))
}

import type { Day } from '#protocol/atoms/day.js'
import type { Entities, Entity } from '../entity.js'
import { parentOf, placeNamed, placesMeant } from '../place.js'

/** Deeper trees than this are cycles or mistakes. */
const maxDepth = 64

/** Headings of the places that a value may mean, where none is told apart from the others. */
export const ambiguousPlaces = (entities: Entities, value: string, day: Day): ReadonlyArray<string> =>
  placeNamed(entities, value, day) === null ? placesMeant(entities, value).map(place => place.name) : []

/** Whether a place would lie in itself with the value as its parent. */
export const wouldContainItself = (entities: Entities, place: Entity, value: string, day: Day): boolean => {
  let at = placeNamed(entities, value, day)
  for (let depth = 0; depth < maxDepth && at !== null; depth += 1) {
    if (at === place) return true
    if (at.type !== 'Lokacja') return false
    at = parentOf(entities, at, day)?.place ?? null
  }
  return false
}

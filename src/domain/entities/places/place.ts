import { type Day, nameKey } from '#protocol/atoms.js'
import { perDay } from '#src/domain/caching/per-day.js'
import type { Entities, Entity } from '../entity.js'
import { homonymsMax } from '../homonyms.js'
import { doorsOn, locationOn } from '../state.js'
import { liesElsewhere, partsOf, placeBelow } from './below.js'
import { placeOf, placesOfLeaf, placeWith } from './leaf.js'

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

/** The stated location of a place: the text, and the place that it means. */
export interface Parent {
  readonly text: string
  readonly place: Entity | null
}

const parentFrom = (entities: Entities, place: Entity, day: Day): Parent | null => {
  const text = locationOn(place, day) ?? doorsOn(place, day)[0] ?? null
  return text === null ? null : { text, place: placeNamed(entities, text, day) }
}

const parents = perDay((_entities: Entities, _day: Day) => new Map<Entity, Parent | null>())

/** The parent of a place on a day: active `@lokacja`, else the first active `@drzwi` (FORMATS 1.7). */
export const parentOf = (entities: Entities, place: Entity, day: Day): Parent | null => {
  const known = parents(entities, day)
  const before = known.get(place)
  if (before !== undefined) return before
  const parent = parentFrom(entities, place, day)
  known.set(place, parent)
  return parent
}

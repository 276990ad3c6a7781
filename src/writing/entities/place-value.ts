import { type Day, type NameKey, nameKey } from '#protocol/atoms.js'
import { leafOf } from '#src/domain/entities/below.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { parentOf, placeNamed, placesMeant } from '#src/domain/entities/places.js'
import { aliasKeys } from '#src/domain/entities/reading.js'

/** A tree deeper than this is a cycle or a mistake. */
const maxDepth = 64

/** Headings of the places that a value may mean, when it means several; empty otherwise. */
export const ambiguousPlaces = (entities: Entities, value: string, day: Day): ReadonlyArray<string> =>
  placeNamed(entities, value, day) === null ? placesMeant(entities, value).map(place => place.name) : []

const bears = (entity: Entity | null, key: NameKey): boolean =>
  entity !== null && entity.type === 'Lokacja' && (entity.key === key || aliasKeys(entity).includes(key))

/** Why no place is given a name that is the leaf of several. */
export const sharedLeafReason = 'is the last name of several places; add the place above it in brackets'

/**
 * Headings of the places that share a leaf, when a place is to get that leaf as its heading or another
 * spelling. Empty when fewer than two share it, or when `entity` is already a place of that name (A 2.5).
 */
export const placesSharingLeaf = (
  entities: Entities,
  name: string,
  entity: Entity | null,
): ReadonlyArray<string> => {
  if (bears(entity, nameKey(name))) return []
  const found = placesMeant(entities, name)
  return found.length > 1 ? found.map(place => place.name) : []
}

const nameMeant = (text: string): NameKey =>
  nameKey(text.split('/').findLast(part => part.trim() !== '') ?? '')

/**
 * Whether a new place would lie in itself: `value` is its own name, or the chain of places above `value` ends
 * in that name while no block has it yet.
 */
export const wouldCloseCircle = (entities: Entities, name: string, value: string, day: Day): boolean => {
  const keys: ReadonlySet<NameKey> = new Set([nameKey(name), nameKey(leafOf(name).leaf)])
  let text: string | null = value
  for (let depth = 0; depth < maxDepth && text !== null; depth += 1) {
    const place: Entity | null = placeNamed(entities, text, day)
    if (place === null) return keys.has(nameMeant(text))
    if (place.type !== 'Lokacja') return nameMeant(text) === nameKey(name)
    text = parentOf(entities, place, day)?.text ?? null
  }
  return false
}

/** Whether a place would lie in itself with `value` as its parent. */
export const wouldContainItself = (entities: Entities, place: Entity, value: string, day: Day): boolean => {
  let at = placeNamed(entities, value, day)
  for (let depth = 0; depth < maxDepth && at !== null; depth += 1) {
    if (at === place) return true
    if (at.type !== 'Lokacja') return false
    at = parentOf(entities, at, day)?.place ?? null
  }
  return false
}

import type { Day } from '#protocol/atoms/day.js'
import { nameKey } from '#protocol/atoms/name.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { placeNamed } from '#src/domain/entities/places/place.js'

/** A location of a session as written, and its place; null when no block matches. */
export interface NamedPlace {
  readonly text: string
  readonly place: Entity | null
}

/** The text without blanks around it and without asterisks at its end. */
const cleanName = (text: string): string => {
  const bare = text.trim()
  let end = bare.length
  while (end > 0 && bare.charAt(end - 1) === '*') end -= 1
  return bare.slice(0, end).trim()
}

const isNone = (text: string): boolean => text === '' || /^brak\.?$/u.test(nameKey(text))

/**
 * The places in the location text of a session: a name, a slash path, or a route split at `->` or at a dash
 * between blanks (FORMATS 8). The whole text is tried first, for names with a dash.
 */
export const placesIn = (entities: Entities, text: string, day: Day): ReadonlyArray<NamedPlace> => {
  const whole = cleanName(text)
  if (isNone(whole)) return []
  const known = placeNamed(entities, whole, day)
  if (known !== null) return [{ text: whole, place: known }]
  return whole
    .split(/->|\s[-\u2013\u2014]\s/u)
    .map(cleanName)
    .filter(part => !isNone(part))
    .map(part => ({ text: part, place: placeNamed(entities, part, day) }))
}

import { type Day, nameKey } from '#protocol/atoms.js'
import { isPlaceName, partsOf } from '#src/domain/entities/below.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { placeNamed } from '#src/domain/entities/places.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import type { Session } from '../session.js'
import { ownersOf } from './spellings.js'

/** Whether a text is a name, which no dash in it parts. */
export type IsName = (text: string) => boolean

/**
 * The stops of a location line as written: the parts of a route between arrows, or between dashes with blanks around
 * them (docs/spec/lore-places.md#sessions). A name that holds such a dash is one stop; `Brak` is none.
 */
export const stopsOf = (line: string, isName: IsName): ReadonlyArray<string> => {
  const isStop = (text: string): boolean =>
    isName(text) || (text.includes('/') && partsOf(text).every(part => isName(cleanPlace(part))))
  const stops = isStop(cleanPlace(line))
    ? [line]
    : line.split(/->|→/u).flatMap(part => (isStop(cleanPlace(part)) ? [part] : part.split(dash)))
  return stops.map(stop => stop.trim()).filter(stop => !isNone(cleanPlace(stop)))
}

/** A stop without blanks around it and without asterisks at its end. */
export const cleanPlace = (text: string): string => {
  const bare = text.trim()
  let end = bare.length
  while (end > 0 && (bare.charAt(end - 1) === '*' || bare.charAt(end - 1) === ' ')) end -= 1
  return bare.slice(0, end)
}

/** The parts of a path; a part by its heading `B (A)` where that is a name. None of what is no path. */
export const stepsOf = (stop: string, isName: IsName): ReadonlyArray<string> => {
  const parts = stop.includes('/') && !isName(stop) ? partsOf(stop).map(cleanPlace) : []
  return parts.map((part, at) => {
    const heading = at === 0 ? part : `${part} (${parts[at - 1] ?? ''})`
    return isName(heading) ? heading : part
  })
}

/** The stops of a location line with their places; before each the parts of its path, as far as they are known. */
export const placesIn = (entities: Entities, line: string, day: Day): ReadonlyArray<NamedPlace> => {
  const isName: IsName = text => isPlaceName(entities, text)
  const named = (text: string): NamedPlace => ({ text, place: placeNamed(entities, text, day) })
  const partsIn = (stop: string): ReadonlyArray<NamedPlace> => {
    const parts = stepsOf(stop, isName).map(named)
    // The last part is judged as a part of the path, and a part that several places share decides nothing.
    return parts.filter(({ text, place }, at) => place !== null || (at < parts.length - 1 && !isName(text)))
  }
  return stopsOf(line, isName)
    .map(cleanPlace)
    .flatMap(stop => [...partsIn(stop), named(stop)])
}

/**
 * The places of a session: those in its block or italic line. A session of lists without either uses its
 * first list in which all known names are Lokacje (FORMATS 4.3, the fallback).
 */
export const placesOf = (session: Session, names: NameIndex): ReadonlyArray<string> =>
  session.locations.length > 0 || session.otherLists.length === 0
    ? session.locations
    : (session.otherLists.find(list => isPlaceList(names, list)) ?? [])

const dash = /[\s\u00a0][-\u2010-\u2014\u2212][\s\u00a0]/u

const isNone = (text: string): boolean => text === '' || /^brak\.?$/u.test(nameKey(text))

/** A stop of a session, or a part of its path, with its place; null where no block matches. */
interface NamedPlace {
  readonly text: string
  readonly place: Entity | null
}

const isPlaceList = (names: NameIndex, list: ReadonlyArray<string>): boolean => {
  const owners = list.map(text => ownersOf(names, text)).filter(found => found.length > 0)
  return owners.length > 0 && owners.every(found => found.length === 1 && found[0]?.type === 'Lokacja')
}

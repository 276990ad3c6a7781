import type { NameIndex } from '#src/domain/names/resolution.js'
import type { Session } from '../session.js'
import { ownersOf } from './spellings.js'

const isPlaceList = (names: NameIndex, list: ReadonlyArray<string>): boolean => {
  const owners = list.map(text => ownersOf(names, text)).filter(found => found.length > 0)
  return owners.length > 0 && owners.every(found => found.length === 1 && found[0]?.type === 'Lokacja')
}

/**
 * The places of a session: those in its block or italic line. A session of lists without either uses its
 * first list in which all known names are Lokacje (FORMATS 4.3, the fallback).
 */
export const placesOf = (session: Session, names: NameIndex): ReadonlyArray<string> =>
  session.locations.length > 0 || session.otherLists.length === 0
    ? session.locations
    : (session.otherLists.find(list => isPlaceList(names, list)) ?? [])

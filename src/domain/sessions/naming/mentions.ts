import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { homonymsMax } from '#src/domain/entities/homonyms.js'
import { namesInField } from '#src/domain/lore/narrator-field.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import type { Session, Sessions } from '../session.js'
import { copyWithoutTopics, sessionWithoutTopics } from '../shown-session.js'
import { collectNamesInProse } from './prose-names.js'
import { findOwners, type Spellings, spellingsOf } from './spellings.js'

/**
 * The places that a location line may name: the line, the parts of a route, and the segments of a path
 * (FORMATS 8).
 */
export const placesNamed = (line: string): ReadonlyArray<string> => {
  if (!line.includes('/') && !line.includes('->')) return [line]
  const stops = line.split('->')
  return [line, ...stops, ...stops.flatMap(stop => stop.split('/'))].map(part => part.trim())
}

/** The names of an Intel target: `Grupa/X` and `Lokacja/X` name X, `A, B` names both (FORMATS 4.6). */
export const targetsOf = (target: string): ReadonlyArray<string> => {
  const directive = /^(?:Grupa|Lokacja)\//u.exec(target)
  return directive === null ? target.split(',') : [target.slice(directive[0].length)]
}

const namesIn = (session: Session): ReadonlyArray<string> => [
  ...session.locations.flatMap(placesNamed),
  ...session.points.map(one => one.character),
  ...session.participants,
  ...session.changes.map(one => one.entity),
  ...session.intel.flatMap(one => targetsOf(one.target)),
  ...session.transfers.flatMap(one => [one.source, one.destination]),
  ...session.narrators.flatMap(one => [one, ...namesInField(one)]),
]

/** The spellings in the prose of a session, including its preserved blocks. */
const written = perValue((spellings: Spellings) =>
  perValue((session: Session): ReadonlySet<NameKey> => {
    const found = new Set<NameKey>()
    for (const prose of new Set(session.copies.map(copy => copyWithoutTopics(copy).body)))
      collectNamesInProse(prose, spellings, found)
    for (const block of sessionWithoutTopics(session).preserved)
      collectNamesInProse(block.text, spellings, found)
    return found
  }),
)

/** The owners of the keys. A name that more than `homonymsMax` blocks share means none of them. */
const entitiesWithKeys = (names: NameIndex, keys: Iterable<NameKey>): Set<Entity> => {
  const found = new Set<Entity>()
  for (const key of keys) {
    const owners = findOwners(names, key)
    if (owners.length <= homonymsMax) for (const owner of owners) found.add(owner)
  }
  return found
}

/** The entities that the prose of a session names, without its metadata (FORMATS 4.7). */
export const findMentioned = (session: Session, names: NameIndex): ReadonlyArray<Entity> => [
  ...entitiesWithKeys(names, written(spellingsOf(names))(session)),
]

const memo = perValue((names: NameIndex) =>
  perValue((session: Session): ReadonlyArray<Entity> => {
    const found = entitiesWithKeys(names, new Set(namesIn(sessionWithoutTopics(session)).map(nameKey)))
    for (const entity of findMentioned(session, names)) found.add(entity)
    return [...found]
  }),
)

/** The entities that a session names, in the order of first mention. */
export const findNamed = (session: Session, names: NameIndex): ReadonlyArray<Entity> => memo(names)(session)

const indexes = perValue((names: NameIndex) =>
  perValue((sessions: Sessions): ReadonlyMap<Entity, ReadonlyArray<Session>> => {
    const naming = new Map<Entity, Array<Session>>()
    for (const session of sessions.all)
      for (const entity of findNamed(session, names)) {
        const known = naming.get(entity)
        if (known === undefined) naming.set(entity, [session])
        else known.push(session)
      }
    return naming
  }),
)

/**
 * The sessions that name an entity, oldest first: in their places, PU, participants, Zmiany, Intel, Transfers
 * and narrators, or in their prose by any indexed spelling, the longest first (FORMATS 4.7). Homonyms all
 * count, up to 200. Built on first use; prose is scanned again only when it or the spellings of the index
 * change.
 */
export const sessionsNaming = (
  sessions: Sessions,
  names: NameIndex,
): ReadonlyMap<Entity, ReadonlyArray<Session>> => indexes(names)(sessions)

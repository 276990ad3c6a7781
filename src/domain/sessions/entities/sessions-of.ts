import { type Day, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { homonymsMax } from '#src/domain/entities/homonyms.js'
import { isPlaceName } from '#src/domain/entities/places/leaf.js'
import { placeNamed } from '#src/domain/entities/places/place.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { placesNamed, sessionsNamingInSlices } from '../naming/mentions.js'
import type { Session, Sessions } from '../session.js'
import { sessionWithoutTopics } from '../shown-session.js'

const isPlace = (entity: Entity): boolean =>
  entity.type === 'Lokacja' || entity.type === 'Mapa' || entity.type === 'Region'

const placesAmong = perValue((owners: ReadonlyArray<Entity>) => owners.filter(isPlace))

/**
 * Every place that a name may mean: all homonyms among places, else the place of a slash path or a leaf. A
 * name of more than 200 places means none.
 */
const placesMeant = (entities: Entities, text: string, day: Day): ReadonlyArray<Entity> => {
  const key = nameKey(text)
  const owners = entities.byHeading.get(key) ?? entities.byAlias.get(key)
  const places = owners === undefined ? [] : placesAmong(owners)
  if (places.length > 0) return places.length > homonymsMax ? [] : places
  const place = placeNamed(entities, text, day)
  return place === null ? [] : [place]
}

type Setting = ReadonlyMap<Entity, ReadonlyArray<Session>>

const settings = perValue((entities: Entities) =>
  perValue((sessions: Sessions): Setting => {
    const set = new Map<Entity, Array<Session>>()
    const textsIn = (line: string) => placesNamed(line, text => isPlaceName(entities, text))
    for (const session of sessions.all) {
      const parts = new Set(sessionWithoutTopics(session).locations.flatMap(textsIn))
      const places = new Set([...parts].flatMap(part => placesMeant(entities, part, session.date)))
      for (const place of places) {
        const known = set.get(place)
        if (known === undefined) set.set(place, [session])
        else known.push(session)
      }
    }
    return set
  }),
)

/** The inputs of `sessionsOfInSlices`. */
export interface SessionSources {
  readonly entities: Entities
  readonly names: NameIndex
  readonly sessions: Sessions
}

/**
 * The sessions of an entity, oldest first (B 4.1): for a place those set there, for any other entity those
 * that name it in a block or in the prose, also by an inflected form. Indexed on first use, once per snapshot
 * part. Yields while it reads prose.
 */
export const sessionsOfInSlices = function* (
  { entities, names, sessions }: SessionSources,
  entity: Entity,
): Sliced<ReadonlyArray<Session>> {
  const index = isPlace(entity)
    ? settings(entities)(sessions)
    : yield* sessionsNamingInSlices(sessions, names)
  return index.get(entity) ?? []
}

import type { Entity } from '#src/entities/entity.js'
import type { NameIndex } from '#src/names/resolution.js'
import type { Session, Sessions } from './session.js'

/**
 * The sessions that name an entity, oldest first: in their places, PU, participants, Zmiany, Intel, Transfers and
 * narrators, or in their prose by any indexed spelling, the longest first (FORMATS 4.7). Homonyms are all named.
 * Built when first asked for; a session keeps what it names as long as neither it nor the index changes.
 */
export const sessionsNaming = (
  _sessions: Sessions,
  _names: NameIndex,
): ReadonlyMap<Entity, ReadonlyArray<Session>> => new Map()

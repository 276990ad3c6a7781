import { perValue } from '#src/domain/caching/per-value.js'
import type { Reader } from '#src/domain/callers/caller.js'
import { type OwnScope, scopeFor } from '#src/domain/identity/readable.js'
import { charactersOf } from '#src/domain/people/characters.js'
import { datedBatchesOf, puConstants } from '#src/domain/points/batches.js'
import { candidatesOf, placeAmong, puSessionsOf } from '#src/domain/points/month-sessions.js'
import type { Snapshot } from './snapshot.js'

/** The Postacie on the day of the snapshot, computed once per snapshot. */
export const charactersAt = perValue((snapshot: Snapshot) =>
  charactersOf(snapshot.entities, snapshot.people, snapshot.day),
)

/**
 * The scope that limits a caller who holds only the `.own` capability of the row; null for a caller who holds
 * the full one (A 5.2).
 */
export const ownScopeAt = (snapshot: Snapshot, caller: Reader): OwnScope | null =>
  scopeFor(caller, () => ({
    people: snapshot.people,
    entities: snapshot.entities,
    characters: charactersAt(snapshot),
  }))

/** The inputs of PU computations, with the constants of the configuration; computed once per snapshot. */
export const puGroundAt = perValue((snapshot: Snapshot) => {
  const candidates = candidatesOf(charactersAt(snapshot), snapshot.day)
  const { config } = snapshot
  return {
    candidates,
    place: placeAmong(candidates),
    sessions: puSessionsOf(snapshot.sessions),
    constants: puConstants(config),
    history: datedBatchesOf(snapshot.batches)(config['server.time_zone']),
  }
})

/** What queries of the chat read. */
export const queryGroundAt = (snapshot: Snapshot) => ({
  identity: snapshot,
  lore: snapshot,
  characters: charactersAt(snapshot),
  points: puGroundAt(snapshot),
})

import type { SessionComparison } from '#protocol/sessions.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { playersIn } from './naming/characters.js'
import { findNamedInSlices } from './naming/mentions.js'
import { placesOf } from './naming/places.js'
import { sessionNamesOf, summaryOf } from './row.js'
import type { Session } from './session.js'
import type { SessionLore } from './session-lore.js'
import { sessionWithoutTopics } from './shown-session.js'

type Traits = SessionComparison['Shared']
type Trait = keyof Traits

const kinds: ReadonlyArray<Trait> = ['Narrators', 'Characters', 'Locations', 'Entities']

const traitsOf = function* (session: Session, { names }: SessionLore): Sliced<Traits> {
  const named = yield* findNamedInSlices(session, names)
  return {
    Narrators: session.narrators,
    Characters: playersIn(session, names).map(player => player.name),
    Locations: placesOf(session, names),
    Entities: [...new Set(named.map(entity => entity.name))],
  }
}

const pickTraits = (pick: (kind: Trait) => ReadonlyArray<string>): Traits => ({
  Narrators: pick('Narrators'),
  Characters: pick('Characters'),
  Locations: pick('Locations'),
  Entities: pick('Entities'),
})

/** Number of sessions that have each value of each trait. */
const countTraits = (all: ReadonlyArray<Traits>): ReadonlyMap<Trait, ReadonlyMap<string, number>> =>
  new Map(
    kinds.map(kind => {
      const counts = new Map<string, number>()
      for (const traits of all)
        for (const value of new Set(traits[kind])) counts.set(value, (counts.get(value) ?? 0) + 1)
      return [kind, counts]
    }),
  )

/**
 * Compares sessions: the traits that all share, and those that only one of them has
 * (docs/spec/sessions.md#b-4-2). Yields between sessions.
 */
export const compareInSlices = function* (
  sessions: ReadonlyArray<Session>,
  lore: SessionLore,
): Sliced<SessionComparison> {
  const all: Array<{ readonly session: Session; readonly traits: Traits }> = []
  for (const session of sessions.map(sessionWithoutTopics)) {
    all.push({ session, traits: yield* traitsOf(session, lore) })
    yield
  }
  const counts = countTraits(all.map(one => one.traits))
  const having = (traits: Traits | undefined, kind: Trait, count: number): ReadonlyArray<string> =>
    (traits?.[kind] ?? []).filter(value => counts.get(kind)?.get(value) === count)
  return {
    count: sessions.length,
    items: all.map(({ session }) => summaryOf(session, sessionNamesOf(session, lore.names))),
    Shared: pickTraits(kind => having(all[0]?.traits, kind, all.length)),
    Only: all.map(({ session, traits }) => ({
      Header: session.header,
      ...pickTraits(kind => (all.length === 1 ? [] : having(traits, kind, 1))),
    })),
  }
}

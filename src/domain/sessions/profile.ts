import type { NarratorProfile } from '#protocol/sessions.js'
import { playersIn } from './naming/characters.js'
import { foldingOf, isSureOf } from './naming/folding.js'
import { placesOf } from './naming/places.js'
import { listOpenSessions } from './open.js'
import type { Session } from './session.js'
import type { SessionLore } from './session-lore.js'
import { sessionWithoutTopics } from './shown-session.js'

type Tally = NarratorProfile['Characters'][number]

/** How many sessions each name is in, sorted by count, then by name. */
const tally = (
  sessions: ReadonlyArray<Session>,
  names: (session: Session) => Iterable<string>,
): ReadonlyArray<Tally> => {
  const counts = new Map<string, number>()
  for (const session of sessions)
    for (const name of new Set(names(session))) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .map(([Name, Sessions]) => ({ Name, Sessions }))
    .sort((left, right) => right.Sessions - left.Sessions || (left.Name < right.Name ? -1 : 1))
}

const years = (sessions: ReadonlyArray<Session>): NarratorProfile['Years'] =>
  [...tally(sessions, session => [session.date.slice(0, 4)])]
    .map(({ Name, Sessions }) => ({ Year: Name, Sessions }))
    .sort((left, right) => (left.Year < right.Year ? -1 : 1))

/** The profile of a narrator over all sessions and spellings; null when no session names them. */
export const profileOf = (lore: SessionLore, nick: string): NarratorProfile | null => {
  const { names } = lore
  const folding = foldingOf(lore)
  const folded = folding.fold(nick)
  const narrated = folding.byKey.get(folded.key)
  const [first, last] = [narrated?.sessions[0], narrated?.sessions.at(-1)]
  if (narrated === undefined || first === undefined || last === undefined) return null
  const { sessions, forms } = narrated
  const open = new Set(listOpenSessions(lore))
  const others = (session: Session): ReadonlyArray<string> =>
    session.narrators.flatMap(form => {
      const other = folding.fold(form)
      return other.key === folded.key ? [] : [other._tag === 'Person' ? other.name : form]
    })
  return {
    Narrator: folded._tag === 'Person' ? folded.name : (forms[0] ?? nick),
    Person: folded._tag === 'Person' ? folded.name : null,
    Sure: isSureOf(folding, [nick, ...forms]),
    Council: folded._tag === 'Council',
    Forms: forms,
    Sessions: sessions.length,
    Open: sessions.filter(session => open.has(session)).length,
    First: first.date,
    Last: last.date,
    Years: years(sessions),
    CoNarrators: tally(sessions, others),
    Characters: tally(sessions, session => playersIn(session, names).map(player => player.name)),
    Locations: tally(sessions, session => placesOf(sessionWithoutTopics(session), names)),
    Items: sessions.map(({ header, date, title }) => ({ Header: header, Date: date, Title: title })),
  }
}

import { type Day, type NameKey, nameKey, type Status } from '#protocol/atoms.js'
import { perDay, perValue } from '#src/domain/caching/per-value.js'
import { type Decimal, type Figures, figuresOn, plus, readDecimal, zero } from '#src/domain/lore/figures.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { firstNames } from '#src/domain/names/name-index.js'
import type { Character, Characters } from '#src/domain/people/characters.js'
import type { Session, Sessions } from '#src/domain/sessions/session.js'

/**
 * A session as input of PU. `copies` are the PU of each file that has the session; empty when only one does.
 */
export interface PuSession {
  readonly header: string
  /** `YYYY-MM-DD`, its first day. */
  readonly date: string
  readonly points: ReadonlyArray<PuEntry>
  readonly copies: ReadonlyArray<ReadonlyArray<PuEntry>>
}

/** A PU line: the name as written, and the decimal as written; null when malformed. */
export interface PuEntry {
  readonly character: string
  readonly value: string | null
}

/** The PU of an entry; zero without a value or with an invalid one. */
export const pointsOfEntry = perValue(
  (entry: PuEntry): Decimal => (entry.value === null ? null : readDecimal(entry.value, 'none')) ?? zero,
)

/** A name of no character, or of several, with the sessions that contain it (FORMATS 6.2). */
export interface Unresolved {
  readonly character: string
  readonly candidates: ReadonlyArray<string>
  readonly sessions: ReadonlyArray<string>
}

/** Sessions with PU whose first day is in the month, split by the history of batches (FORMATS 6.2). */
export const sessionsOfMonth = (
  sessions: ReadonlyArray<PuSession>,
  month: string,
  settled: ReadonlySet<string>,
): MonthSessions => {
  const own = (byMonth(sessions).get(month) ?? []).filter(session => session.points.length > 0)
  return {
    settled: own.filter(session => settled.has(ledgerKeyOf(session))),
    open: own.filter(session => !settled.has(ledgerKeyOf(session))),
  }
}

/** Sessions by the month `YYYY-MM` of their first day, in their order. */
export const byMonth: <A extends { readonly date: string }>(
  sessions: ReadonlyArray<A>,
) => ReadonlyMap<string, ReadonlyArray<A>> = perValue(
  <A extends { readonly date: string }>(sessions: ReadonlyArray<A>) => {
    const months = new Map<string, Array<A>>()
    for (const session of sessions) {
      const month = session.date.slice(0, 7)
      const known = months.get(month)
      if (known === undefined) months.set(month, [session])
      else known.push(session)
    }
    return months
  },
)

/** The PU of each character over some sessions, under any spelling (FORMATS 6.2). */
export const pointsByCandidate = (
  sessions: ReadonlyArray<PuSession>,
  place: LocateCandidate,
): ReadonlyMap<Candidate, Earned> => {
  const earned = new Map<Candidate, { pu: Decimal; sessions: Array<SessionPu> }>()
  for (const session of sessions)
    for (const [candidate, pu] of pointsOfSession(session, place)) {
      const known = earned.get(candidate) ?? { pu: zero, sessions: [] }
      known.pu = plus(known.pu, pu)
      known.sessions.push({ session: session.header, pu })
      earned.set(candidate, known)
    }
  return earned
}

/** The PU that one session gives each character. */
export const pointsOfSession = (
  session: PuSession,
  place: LocateCandidate,
): ReadonlyMap<Candidate, Decimal> => {
  const given = new Map<Candidate, Decimal>()
  for (const { candidate, pu } of locateEntries(session, place))
    given.set(candidate, plus(given.get(candidate) ?? zero, pu))
  return given
}

/** The PU of a character in one session; `session` is the header. */
export interface SessionPu {
  readonly session: string
  readonly pu: Decimal
}

/** The PU of a character over some sessions, in their order. */
export interface Earned {
  readonly pu: Decimal
  readonly sessions: ReadonlyArray<SessionPu>
}

/** Every name that does not mean exactly one character, in order of appearance. */
export const unresolvedCandidates = (
  sessions: ReadonlyArray<PuSession>,
  place: LocateCandidate,
): ReadonlyArray<Unresolved> => {
  const missed = new Map<string, { candidates: ReadonlyArray<string>; sessions: Array<string> }>()
  for (const session of sessions)
    for (const { character } of session.points) {
      const found = place(character)
      if (found._tag === 'One') continue
      const several = found._tag === 'Several' ? firstNames(found.candidates, one => one.name).names : []
      const known = missed.get(character) ?? { candidates: several, sessions: [] }
      if (known.sessions.at(-1) !== session.header) known.sessions.push(session.header)
      missed.set(character, known)
    }
  return [...missed].map(([character, rest]) => ({ character, ...rest }))
}

/** A character for the arithmetic of PU: its spellings, its owner and its figures. */
export interface Candidate {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  /** The Gracz who owns it; null when nobody does. */
  readonly player: string | null
  readonly status: Status
  readonly figures: Figures
}

export type LocateCandidate = (written: string) => Placed

/**
 * Returns a function that finds characters by exact heading, then by exact alias. It ignores case and normal
 * form, but not inflection (FORMATS 5.4, 6.2).
 */
export const placeAmong = perValue((candidates: ReadonlyArray<Candidate>): LocateCandidate => {
  const [names, aliases] = [new Map<NameKey, Array<Candidate>>(), new Map<NameKey, Array<Candidate>>()]
  for (const candidate of candidates) {
    const { name, others } = keysOfCandidate(candidate)
    enter(names, name, candidate)
    for (const alias of others) enter(aliases, alias, candidate)
  }
  return written => {
    const key = nameKey(written)
    return locateCandidate(names.get(key) ?? aliases.get(key))
  }
})

/**
 * The Postacie as candidates. Aliases of any range count, because a session may be read long after its day.
 */
export const candidatesOf = (characters: Characters, day: Day): ReadonlyArray<Candidate> =>
  characters.all.map(character => candidateOn(character, day))

const candidateOn = perDay(
  ({ entity, name, owner, status }: Character, day: Day): Candidate => ({
    name,
    aliases: entity.rows.filter(row => names.has(row.tag)).map(row => row.value),
    player: owner,
    status,
    figures: figuresOn(entity.rows, day),
  }),
)

/** One for each session, so that a commit which leaves a session as it is leaves its key too. */
export const puSessionOf = perValue(
  ({ header, date, points, copies }: Session): PuSession => ({
    header,
    date,
    points,
    copies: copies.length > 1 ? copies.map(copy => copy.points) : [],
  }),
)

/** The merged sessions as input of PU. */
export const puSessionsOf = perValue(
  (sessions: Sessions): ReadonlyArray<PuSession> => sessions.all.map(puSessionOf),
)

/** Sessions of a month that earn PU, settled and not settled. */
interface MonthSessions {
  readonly settled: ReadonlyArray<PuSession>
  readonly open: ReadonlyArray<PuSession>
}

/**
 * The PU lines of a session with their characters. Of several copies, the first one that names a character
 * under any spelling counts for it (FORMATS 4.4).
 */
const locateEntries = (
  session: PuSession,
  place: LocateCandidate,
): ReadonlyArray<{ readonly candidate: Candidate; readonly pu: Decimal }> => {
  const copyOf = new Map<Candidate, number>()
  const copies = session.copies.length > 0 ? session.copies : [session.points]
  return copies.flatMap((copy, at) =>
    copy.flatMap(entry => {
      const found = place(entry.character)
      if (found._tag !== 'One') return []
      const first = copyOf.get(found.candidate) ?? at
      copyOf.set(found.candidate, first)
      return first === at ? [{ candidate: found.candidate, pu: pointsOfEntry(entry) }] : []
    }),
  )
}

/** The result of looking up a name in PU: exactly one character, none, or several. */
type Placed =
  | { readonly _tag: 'One'; readonly candidate: Candidate }
  | { readonly _tag: 'Nobody' }
  | { readonly _tag: 'Several'; readonly candidates: ReadonlyArray<Candidate> }

const nobody: Placed = { _tag: 'Nobody' }

const locateCandidate = (candidates: ReadonlyArray<Candidate> | undefined): Placed => {
  const [first, second] = candidates ?? []
  if (first === undefined) return nobody
  return second === undefined
    ? { _tag: 'One', candidate: first }
    : { _tag: 'Several', candidates: candidates ?? [] }
}

const keysOfCandidate = perValue(({ name, aliases }: Candidate) => ({
  name: nameKey(name),
  others: aliases.map(nameKey),
}))

const enter = (index: Map<NameKey, Array<Candidate>>, key: NameKey, candidate: Candidate): void => {
  const known = index.get(key)
  if (known === undefined) index.set(key, [candidate])
  else if (!known.includes(candidate)) known.push(candidate)
}

const names: ReadonlySet<string> = new Set(['alias', 'nazwa_svc', 'nick'])

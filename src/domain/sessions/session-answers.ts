import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import { type Day, dayOf, dropLongMarks, nameKey } from '#protocol/atoms.js'
import type { Window } from '#protocol/list.js'
import {
  type LogState,
  type NarratorProfile,
  rowFields,
  type SessionComparison,
  type SessionFetch,
  type SessionRow,
  type SessionSummary,
} from '#protocol/lore/sessions.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { View } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { renderListInSlices, renderWholeJsonInSlices } from '#src/domain/json/json-bytes.js'
import { numberOrNull, readDecimal } from '#src/domain/lore/figures.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { findNamedInSlices, placesOf, sessionsNamingInSlices } from './reading/mentions.js'
import { narratorsOf, playersIn } from './reading/narrators.js'
import { foldingOf, isSureOf, type Narrated, type SessionLore } from './reading/spellings.js'
import { type Session, sessionFor, sessionWithoutTopics } from './session.js'

/** The parts of a session row that depend on names; the rest depends on the session alone. */
export interface SessionNames {
  readonly reporter: string | null
  readonly places: ReadonlyArray<string>
}

/** The states of transcripts in the committed archive, in the order of their addresses. */
export type LogStatesOf = (addresses: ReadonlyArray<string>) => ReadonlyArray<LogState>

/** The parts of a session's answer that depend on the names of other blocks; `session` is as its reader sees it. */
export const sessionNamesOf = (session: Session, names: NameIndex): SessionNames => ({
  reporter: reporterOf(session, names),
  places: placesOf(session, names),
})

export const summaryOf = (session: Session, { reporter, places }: SessionNames): SessionSummary => ({
  Header: session.header,
  Date: session.date,
  DateEnd: session.dateEnd,
  Title: session.title,
  Narrator: session.narrator,
  Narrators: session.narrators,
  Reporter: reporter,
  ReporterSource: reporter === null ? null : 'log-saver-slug',
  SavedDate: saveDateOf(session),
  Generation: session.generation,
  LogCount: session.logs.length,
  LogsUrl: session.logs.length === 0 ? null : `/v1/api/sessions/${encodeURIComponent(session.header)}/logs`,
  Locations: places,
  PU: session.points.map(one => ({
    Character: one.character,
    Value: one.value === null ? null : numberOrNull(readDecimal(one.value, 'none')),
  })),
  Participants: session.participants,
  Files: [...new Set(session.copies.map(copy => copy.path))],
})

/** The row of B 2.2. */
export const rowOf = (
  session: Session,
  named: SessionNames,
  states: ReadonlyArray<LogState>,
): SessionRow => ({
  ...summaryOf(session, named),
  Description: session.body,
  LogStates: states,
})

/** A single session, as the view may see it. */
export const fetchOf = (
  whole: Session,
  lore: SessionLore,
  view: View,
  statesOf: LogStatesOf,
): SessionFetch => {
  const { names, day, closeLedger } = lore
  const { council, persons, confidence } = narratorsOf(lore, whole.narrator, day)
  const session = sessionFor(view, whole)
  return {
    ...rowOf(session, sessionNamesOf(session, names), statesOf(session.logs)),
    Council: council,
    NarratorPersons: persons,
    NarratorsSure: confidence !== 'Medium',
    Logs: session.logs,
    Zmiany: session.changes.map(({ entity, tags }) => ({
      Entity: entity,
      Tags: tags.map(({ tag, value }) => ({ Tag: `@${tag}`, Value: value })),
    })),
    Transfers: session.transfers.map(one => ({
      Amount: one.amount,
      Denomination: one.denomination,
      Source: one.source,
      Destination: one.destination,
    })),
    Intel: session.intel.map(({ target, message }) => ({ Target: target, Message: message })),
    Preserved: session.preserved.map(({ name, text }) => ({ Name: name, Text: text })),
    Copies: session.copies.map(copy => ({ File: copy.path, Line: copy.line, EndLine: copy.endLine })),
    Closed: closeLedger.closed.has(ledgerKeyOf(session)),
    Distributed: closeLedger.distributed.has(ledgerKeyOf(session)),
  }
}

/** Sessions neither closed nor distributed, oldest first (B 4.2). */
export const listOpenSessions = perValue(
  ({ sessions, closeLedger }: SessionLore): ReadonlyArray<Session> =>
    sessions.all.filter(
      session =>
        !closeLedger.closed.has(ledgerKeyOf(session)) && !closeLedger.distributed.has(ledgerKeyOf(session)),
    ),
)

/**
 * The open sessions of a narrator, and the spellings of the name in them; a conjunction is a name of its own.
 */
export const openSessionsOf = (lore: SessionLore, narrator: string): OpenNarrated => {
  const folding = foldingOf(lore)
  const { key } = folding.fold(narrator)
  const narrated = folding.byKey.get(key)
  if (narrated === undefined) return { sessions: [], forms: [], sure: isSureOf(folding, [narrator]) }
  const open = new Set(listOpenSessions(lore))
  const sessions = narrated.sessions.filter(session => open.has(session))
  const forms = new Set(
    sessions.flatMap(session => session.narrators.filter(form => folding.fold(form).key === key)),
  )
  return { sessions, forms: [...forms], sure: isSureOf(folding, [narrator, ...forms]) }
}

/** The filters of `GET /sessions` (B 4.2); an absent one matches everything. */
export interface SessionFilter {
  /** A member of `Narrators`, as written. */
  readonly narrator?: string | undefined
  /** First and last day, inclusive. A session of several days counts when one of them is within. */
  readonly from?: Day | undefined
  readonly to?: Day | undefined
  /** A name in any form but a misspelling: matches sessions that name an entity of it. */
  readonly entity?: string | undefined
}

/** Whether a session has a day from `from` to `to`, both inclusive; undefined bounds nothing. */
export const isWithin = (
  { date, dateEnd }: Pick<Session, 'date' | 'dateEnd'>,
  from: Day | undefined,
  to: Day | undefined,
): boolean => (from === undefined || (dateEnd ?? date) >= from) && (to === undefined || date <= to)

/** The sessions that pass every filter, oldest first. Yields while it finds the sessions of an entity. */
export const filterSessionsInSlices = function* (
  lore: SessionLore,
  filter: SessionFilter,
): Sliced<ReadonlyArray<Session>> {
  const { sessions } = lore
  const { narrator, from, to, entity } = filter
  let all = narrator === undefined ? sessions.all : (sessions.byNarrator.get(nameKey(narrator)) ?? [])
  if (from !== undefined || to !== undefined) all = all.filter(session => isWithin(session, from, to))
  if (entity === undefined) return all
  const named = yield* sessionsThatName(lore, entity)
  return all.filter(session => named.has(session))
}

/** The known fields in a comma list, in any case. Never contains `Header`, which is always served. */
export const fieldsNamed = (text: string): ReadonlySet<string> =>
  new Set(text.split(',').flatMap(part => fieldByKey.get(part.trim().toLowerCase()) ?? []))

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

const sameNamed = (left: SessionNames, right: SessionNames): boolean =>
  left.reporter === right.reporter &&
  (left.places === right.places ||
    (left.places.length === right.places.length &&
      left.places.every((place, at) => place === right.places[at])))

/**
 * The JSON of a session; reused while the session and the parts that it takes from the names stay the same
 * (D16).
 */
const fragments = (
  project: (
    session: Session,
    named: SessionNames,
    states: ReadonlyArray<LogState>,
  ) => SessionRow | SessionSummary,
) => {
  const kept = new WeakMap<Session, SessionFragment>()
  return function* (session: Session, { names, statesOf }: RowSources, view: View): Sliced<Buffer> {
    const shown = sessionFor(view, session)
    const known = kept.get(shown)
    const named = sessionNamesOf(shown, names)
    const states = statesOf(shown.logs)
    if (known !== undefined && sameNamed(known.named, named) && sameStates(known.states, states))
      return known.bytes
    const bytes = yield* renderWholeJsonInSlices(project(shown, named, states))
    kept.set(shown, { named, states, bytes })
    return bytes
  }
}

/** What rows depend on beside their sessions. */
interface RowSources {
  readonly names: NameIndex
  readonly statesOf: LogStatesOf
}

const sameStates = (left: ReadonlyArray<LogState>, right: ReadonlyArray<LogState>): boolean =>
  left.length === right.length && left.every(({ State }, at) => State === right[at]?.State)

const alone = function* (fragment: Sliced<Buffer>): Sliced<ReadonlyArray<Buffer>> {
  return [yield* fragment]
}

const list =
  (fragmentOf: (session: Session, sources: RowSources, view: View) => Sliced<Buffer>) =>
  (all: ReadonlyArray<Session>, window: Window, sources: RowSources, view: View): Sliced<Buffer> =>
    renderListInSlices(all, window, session => alone(fragmentOf(session, sources, view)))

/** The list of session rows in the window, filtered by the view. Yields between sessions. */
export const rowList = list(fragments(rowOf))

/** `rowList` for summaries, which have no states. */
export const summaryList = (
  all: ReadonlyArray<Session>,
  window: Window,
  names: NameIndex,
  view: View,
): Sliced<Buffer> => listSummaries(all, window, { names, statesOf: noStates }, view)

const noStates: LogStatesOf = () => []

const listSummaries = list(fragments(summaryOf))

/**
 * A name as in a URL: letters of the base alphabet and digits, with one dash for each run of anything else.
 */
export const slugOf = (text: string): string =>
  dropLongMarks(text)
    .toLowerCase()
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(part => part !== '')
    .join('-')

/** The saver and the day in the address of a transcript. */
export interface LogSlug {
  readonly saved: Day | null
  readonly saver: string
}

/**
 * Parses the last segment of an address as `[title-]YYYY-MM-DD[-HH-MM]-saver` or `saver-YYYY-MM-DD`, without
 * its extension (docs/spec/sessions.md#saver). Null when it has no day.
 */
export const logSlug = (address: string): LogSlug | null => {
  const path = address.replace(/[?#].*$/su, '')
  const segment = path.slice(path.lastIndexOf('/') + 1)
  const decoded = tryCatch(
    () => decodeURIComponent(segment),
    () => segment,
  )
  const name = (isLeft(decoded) ? decoded.left : decoded.right).replace(/\.[a-z0-9]{1,5}$/iu, '')
  const found = dated.exec(name)
  const saved = found === null ? null : dayOf(found[1] ?? '')
  if (found === null || saved === null) return null
  const after = slugOf(name.slice(found.index + found[0].length).replace(time, ''))
  return { saved, saver: after === '' ? slugOf(name.slice(0, found.index)) : after }
}

/** The day on which the first dated transcript was saved; null when there is none. */
export const saveDateOf = (session: Session): Day | null => slugs(session)[0]?.saved ?? null

/**
 * The character who saved the first transcript with a known saver; null when there is none. A slug that
 * several characters share is ignored.
 */
export const reporterOf = (session: Session, names: NameIndex): string | null => {
  for (const { saver } of slugs(session)) {
    const character = bySlug(names).get(saver)
    if (character) return character.name
  }
  return null
}

/** The open sessions of a narrator; `sure` is false if the name or one of `forms` is no written spelling. */
interface OpenNarrated extends Narrated {
  readonly sure: boolean
}

const sessionsThatName = function* (
  { sessions, names }: SessionLore,
  entity: string,
): Sliced<ReadonlySet<Session>> {
  const index = yield* sessionsNamingInSlices(sessions, names)
  return new Set(
    resolveName(names, entity, { upTo: 'lemma' }).candidates.flatMap(owner => index.get(owner) ?? []),
  )
}

const fieldByKey: ReadonlyMap<string, string> = new Map(rowFields.map(field => [field.toLowerCase(), field]))

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

interface SessionFragment {
  readonly named: SessionNames
  readonly states: ReadonlyArray<LogState>
  readonly bytes: Buffer
}

const dated = /(?:^|[-_.])(\d{4}-\d{2}-\d{2})(?=$|[-_.])/

const time = /^[-_.]*(?:\d{2}-\d{2}(?:-\d{2})?|\d{4}|\d{6})(?=$|[-_.])/

const bySlug = perValue((names: NameIndex): ReadonlyMap<string, Entity | null> => {
  const found = new Map<string, Entity | null>()
  for (const index of [names.exact, names.alias])
    for (const [key, owners] of index)
      for (const owner of owners) {
        if (owner.type !== 'Postać') continue
        const slug = slugOf(key)
        const known = found.get(slug)
        found.set(slug, known === undefined || known === owner ? owner : null)
      }
  return found
})

const slugs = perValue(
  (session: Session): ReadonlyArray<LogSlug> => session.logs.flatMap(log => logSlug(log) ?? []),
)

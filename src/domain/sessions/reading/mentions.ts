import { type Day, type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { isPlaceName, partsOf } from '#src/domain/entities/below.js'
import { homonymsMax } from '#src/domain/entities/entities.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { placeNamed } from '#src/domain/entities/places.js'
import { splitRange } from '#src/domain/lore/rows/days.js'
import { ledgerKeyOf, namesInField, splitNarrators } from '#src/domain/lore/session-header.js'
import { bareWordsOfKey, resolveName } from '#src/domain/names/resolve.js'
import type { NameIndex, NameReach } from '#src/domain/names/spelling-table.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { intelTargetOf } from '../intel-recipients.js'
import { copyWithoutTopics, type Session, type Sessions, sessionWithoutTopics } from '../session.js'
import { collectNamesInSlices, hasWordInSlices } from './prose-names.js'
import { findOwners, ownersOf, type Spellings, spellingsOf } from './spellings.js'

/**
 * The texts in a location line that may name a place: its stops, and the parts of their paths (FORMATS 8). `isName`
 * says which texts are names: no dash in such a text parts stops.
 */
export const placesNamed = (line: string, isName: IsName = () => false): ReadonlyArray<string> =>
  stopsOf(line, isName)
    .map(cleanPlace)
    .flatMap(stop => [stop, ...stepsOf(stop, isName)])

/** The entities that the prose of a session names, without its metadata (FORMATS 4.7). */
export const findMentioned = (session: Session, names: NameIndex): ReadonlyArray<Entity> => {
  const entities = new Set<Entity>()
  addOwners(entities, atOnce(collectWrittenInSlices(session, names)), ownersIn(names).upToForms)
  return [...entities]
}

/** The entities that a session names, in the order of first mention. Yields within long prose. */
export const findNamedInSlices = function* (
  session: Session,
  names: NameIndex,
): Sliced<ReadonlyArray<Entity>> {
  const known = named(names).get(session)
  if (known !== undefined) return known
  const written = yield* collectWrittenInSlices(session, names)
  const { written: asWritten, upToForms, upToLemmas } = ownersIn(names)
  const entities = new Set<Entity>()
  const shown = sessionWithoutTopics(session)
  const effects = effectNames(shown, text => asWritten(nameKey(text)).length > 0)
  addOwners(entities, new Set(effects.map(nameKey)), upToForms)
  addOwners(entities, new Set(shown.points.map(one => nameKey(one.character))), asWritten)
  addOwners(entities, new Set(narratorNames(shown).map(nameKey)), upToLemmas)
  addOwners(entities, written, upToForms)
  const all = [...entities]
  named(names).set(session, all)
  return all
}

/**
 * The sessions that name an entity, oldest first: in their places, PU, participants, Zmiany, Intel, Transfers
 * and narrators, or in their prose by a spelling or an inflected form, the longest first (FORMATS 4.7). Homonyms
 * all count, up to 200. Built on first use; prose is scanned again only when it or the spellings of the index
 * change. Yields between sessions; two callers share what either has found.
 */
export const sessionsNamingInSlices = function* (sessions: Sessions, names: NameIndex): Sliced<Naming> {
  const known = indexes(names).get(sessions)
  if (known !== undefined) return known
  const naming = new Map<Entity, Array<Session>>()
  for (const [at, session] of sessions.all.entries()) {
    for (const entity of yield* findNamedInSlices(session, names)) {
      const list = naming.get(entity)
      if (list === undefined) naming.set(entity, [session])
      else list.push(session)
    }
    if (at % sessionsPerSlice === 0) yield
  }
  indexes(names).set(sessions, naming)
  spellingsOf(names).forms?.forget()
  ownersIn(names).forget()
  return naming
}

/** A name in a session, and its words without Polish marks; `start` is the first, or empty. */
export interface UsedName {
  readonly key: NameKey
  readonly start: string
  readonly words: ReadonlyArray<string>
}

/** What effects and narrators are read from: a session, or a move of money with its id as the header. */
export type NameUser = Pick<
  Session,
  'header' | 'narrator' | 'narrators' | 'changes' | 'transfers' | 'points' | 'intel'
>

/** Number of sessions that use a name in their narrator field, and in their effects. */
export interface SessionUses {
  readonly narrators: number
  readonly effects: number
}

/**
 * Counts the sessions and moves that use a name, in one pass; the names of each are collected once. `recorded`
 * are the keys of those whose effects mean a block of that heading by a ledger.
 */
export const countSessionUses = (
  sessions: ReadonlyArray<NameUser>,
  key: NameKey,
  recorded: ReadonlySet<NameKey>,
): SessionUses => {
  const named = sessions.filter(one => usesIn(one).effects.has(key))
  const keys = new Set(named.map(ledgerKeyOf))
  return {
    narrators: sessions.filter(one => usesIn(one).narrators.has(key)).length,
    effects: named.length + [...recorded].filter(one => !keys.has(one)).length,
  }
}

/** Which names in sessions may be forms of a name. */
export interface FormTest {
  /** The words that such a name begins with; with null, every name is tested. */
  readonly starts: ReadonlySet<string> | null
  readonly isForm: (used: UsedName) => boolean
}

/** The names of an Intel target: `Grupa/X` and `Lokacja/X` name X, `A, B` names both (FORMATS 4.6). */
const targetsOf = (target: string): ReadonlyArray<string> => {
  const directive = /^(?:Grupa|Lokacja)\//u.exec(target)
  return directive === null ? target.split(',') : [target.slice(directive[0].length)]
}

/** Names in effects, places and participants, which count in any form up to alternation (D50). */
const effectNames = (session: Session, isName: IsName): ReadonlyArray<string> => [
  ...session.locations.flatMap(line => placesNamed(line, isName)),
  ...session.participants,
  ...session.changes.map(one => one.entity),
  ...session.intel.flatMap(one => targetsOf(one.target)),
  ...session.transfers.flatMap(one => [one.source, one.destination]),
]

const keysOf = (names: ReadonlyArray<string>): ReadonlySet<NameKey> =>
  new Set(names.map(nameKey).filter(key => key !== ''))

/** Names in the narrator field of a session, as a whole and by parts. */
const narratorKeys = ({ narrator, narrators }: NameUser): ReadonlySet<NameKey> => {
  const field = narrator ?? ''
  return keysOf([field, ...narrators, ...splitNarrators(field), ...namesInField(field)])
}

const intelTexts = (target: string): ReadonlyArray<string> => {
  const { text } = intelTargetOf(target)
  return [text, ...text.split(',')]
}

/** Names in the effects of a session: Zmiany with their owners, sides of Transfers, PU, Intel targets. */
const effectKeys = ({ changes, transfers, points, intel }: NameUser): ReadonlySet<NameKey> =>
  keysOf([
    ...changes.flatMap(({ entity, tags }) => [
      entity,
      ...tags.filter(({ tag }) => tag === 'należy_do').map(({ value }) => splitRange(value).text),
    ]),
    ...transfers.flatMap(({ source, destination }) => [source, destination]),
    ...points.map(({ character }) => character),
    ...intel.flatMap(({ target }) => intelTexts(target)),
  ])

const toUsed = (keys: ReadonlySet<NameKey>): ReadonlyArray<UsedName> =>
  [...keys].map(key => {
    const words = bareWordsOfKey(key)
    return { key, start: words[0] ?? '', words }
  })

const usesIn = perValue((session: NameUser) => {
  const [narrators, effects] = [narratorKeys(session), effectKeys(session)]
  return { narrators, effects, narratorNames: toUsed(narrators), effectNames: toUsed(effects) }
})

const memoize = (accepts: (key: NameKey) => boolean): ((key: NameKey) => boolean) => {
  const known = new Map<NameKey, boolean>()
  return key => {
    const found = known.get(key) ?? accepts(key)
    known.set(key, found)
    return found
  }
}

const countUsesOfForms =
  (namesOf: NamesUsed) =>
  (
    sessions: ReadonlyArray<NameUser>,
    key: NameKey,
    { starts, isForm }: FormTest,
    counts: (key: NameKey) => boolean,
  ): number => {
    const isUsed = memoize(counts)
    return sessions.filter(one => {
      const [written, names] = namesOf(one)
      return (
        names.some(used => (starts === null || starts.has(used.start)) && isForm(used) && isUsed(used.key)) &&
        !written.has(key)
      )
    }).length
  }

/**
 * Counts the sessions with an effect that names a form of the name `key` which `counts` accepts, and none that
 * names `key` itself. Asks `counts` once about each name.
 */
export const countFormUses = countUsesOfForms(session => {
  const { effects, effectNames } = usesIn(session)
  return [effects, effectNames]
})

const narratorNames = ({ narrators }: Session): ReadonlyArray<string> =>
  narrators.flatMap(one => [one, ...namesInField(one)])

/** As `countFormUses`, of the names in narrator fields. */
export const countNarratorUses = countUsesOfForms(session => {
  const { narrators, narratorNames } = usesIn(session)
  return [narrators, narratorNames]
})

export type Naming = ReadonlyMap<Entity, ReadonlyArray<Session>>

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

/** The prose of a session in its copies and preserved blocks, without restricted topics. */
const proseOf = (session: Session): Iterable<string> =>
  new Set([
    ...session.copies.map(copy => copyWithoutTopics(copy).body),
    ...sessionWithoutTopics(session).preserved.map(block => block.text),
  ])

/** What was found with the spellings before, where no spelling that changed since begins in the prose. */
const findUnchanged = function* (
  session: Session,
  { before }: Spellings,
): Sliced<ReadonlySet<NameKey> | null> {
  const known = before?.found.bySession.get(session)
  if (before === null || known === undefined) return null
  for (const prose of proseOf(session)) if (yield* hasWordInSlices(prose, before.starts)) return null
  return known
}

/** The spellings and forms in the prose of a session, including its preserved blocks. */
const collectWrittenInSlices = function* (session: Session, names: NameIndex): Sliced<ReadonlySet<NameKey>> {
  const spellings = spellingsOf(names)
  const { found } = spellings
  const known = found.bySession.get(session) ?? (yield* findUnchanged(session, spellings))
  const keys = new Set<NameKey>()
  if (known === null)
    for (const prose of proseOf(session)) yield* collectNamesInSlices(prose, spellings, keys)
  found.bySession.set(session, known ?? keys)
  found.isUsed = true
  return known ?? keys
}

/** Looks up the owners of names in one index; the names of one reach are resolved once. */
interface OwnerLookup {
  readonly written: (key: NameKey) => ReadonlyArray<Entity>
  readonly upToForms: (key: NameKey) => ReadonlyArray<Entity>
  readonly upToLemmas: (key: NameKey) => ReadonlyArray<Entity>
  readonly forget: () => void
}

const ownersUpTo =
  (names: NameIndex, upTo: NameReach, known: Map<NameKey, ReadonlyArray<Entity>>): OwnerLookup['written'] =>
  key => {
    const found = known.get(key)
    if (found !== undefined) return found
    const written = findOwners(names, key)
    const owners = written.length > 0 ? written : resolveName(names, key, { upTo, topN: 0 }).candidates
    known.set(key, owners)
    return owners
  }

const ownersIn = perValue((names: NameIndex): OwnerLookup => {
  const [forms, lemmas] = [
    new Map<NameKey, ReadonlyArray<Entity>>(),
    new Map<NameKey, ReadonlyArray<Entity>>(),
  ]
  return {
    written: key => findOwners(names, key),
    upToForms: ownersUpTo(names, 'alternation', forms),
    upToLemmas: ownersUpTo(names, 'lemma', lemmas),
    forget: () => {
      forms.clear()
      lemmas.clear()
    },
  }
})

/** Adds the owners of the keys. A name that more than `homonymsMax` blocks share means none of them. */
const addOwners = (found: Set<Entity>, keys: Iterable<NameKey>, ownersOf: OwnerLookup['written']): void => {
  for (const key of keys) {
    const owners = ownersOf(key)
    if (owners.length <= homonymsMax) for (const owner of owners) found.add(owner)
  }
}

const named = perValue((_names: NameIndex) => new WeakMap<Session, ReadonlyArray<Entity>>())

const indexes = perValue((_names: NameIndex) => new WeakMap<Sessions, Naming>())

/** Sessions whose names are looked up between two pauses, where nothing of them is cached. */
const sessionsPerSlice = 8

/** The names of one kind in a session: those as written, and each with what a form needs to be recognised. */
type NamesUsed = (
  session: NameUser,
) => readonly [written: ReadonlySet<NameKey>, names: ReadonlyArray<UsedName>]

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

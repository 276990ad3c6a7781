import { type Day, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { ownerOn, spellingsOn } from '#src/domain/entities/entity.js'
import { bareWordsOfKey, possibleForms, resolveName } from '#src/domain/names/resolve.js'
import { isStopWord } from '#src/domain/search/words.js'
import { cleanPlace, placesNamed } from '#src/domain/sessions/reading/mentions.js'
import { type NarratorLore, narratorsOf, playersIn } from '#src/domain/sessions/reading/narrators.js'
import type { Session, Sessions } from '#src/domain/sessions/session.js'
import { citationsOf } from './archive.js'
import { type NameInText, namesIn, speakerResolver } from './names-in-lines.js'
import { anyLine, type LineFilter, spokenChannel } from './questions.js'

/** Whom or what a request asks about. */
export interface Subject {
  /** The heading, or the name as written where no block answers to it. */
  readonly name: string
  readonly entity: Entity | null
  readonly isPlace: boolean
}

/** What the rules of speech depend on. */
export interface SpokenLore extends NarratorLore {
  readonly sessions: Sessions
  readonly entities: Entities
  readonly day: Day
}

export const subjectOf = (entity: Entity): Subject => ({
  name: entity.name,
  entity,
  isPlace: entity.type === 'Lokacja' || entity.type === 'Mapa',
})

/** A subject by a name that no block answers to. */
export const namedSubject = (name: string): Subject => ({ name, entity: null, isPlace: false })

/** The speakers, as written, who are the subject. */
export const speakersOfSubject = (
  { names }: SpokenLore,
  { entity, name }: Subject,
  speakers: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const resolve = speakerResolver(names)
  const key = nameKey(name)
  return speakers.filter(one => {
    const found = resolve(one)
    return entity === null ? found.stage === 'miss' && nameKey(one) === key : found.entity === entity
  })
}

/**
 * The headings of scenes that are in the place of the subject: one of the places that they name is it. A location and
 * a map of one name are both named.
 */
export const headingsOfPlace = (
  lore: SpokenLore,
  { entity }: Subject,
  headings: ReadonlyArray<string>,
): ReadonlyArray<string> =>
  headings.filter(heading => placesOfHeading(lore, heading).some(places => places.includes(entity)))

/**
 * The place of a heading: the last part of it that is one, a location before a map of its name; null if there is none,
 * or if several locations or maps have the name.
 */
export const placeOfHeading = (lore: SpokenLore, heading: string): Entity | null =>
  placesOfHeading(lore, heading)
    .flatMap(([location, map]) => location ?? map ?? [])
    .at(-1) ?? null

/**
 * The lines that are left out everywhere: those of a narrator, or of a Postać of theirs, in a transcript that is
 * cited only by sessions that they ran and played in none of.
 */
export const narratorExcept = (lore: SpokenLore, speakers: ReadonlyArray<string>): LineFilter['except'] => {
  const resolve = speakerResolver(lore.names)
  const byPerson = new Map<string, Array<string>>()
  for (const speaker of speakers) {
    const { entity } = resolve(speaker)
    const person = entity === null ? null : personOf(lore, entity)
    if (person !== null) byPerson.set(person, [...(byPerson.get(person) ?? []), speaker])
  }
  return [...ranOnly(lore)].flatMap(([log, persons]) => {
    const left = [...persons].flatMap(person => byPerson.get(person) ?? [])
    return left.length === 0 ? [] : [[log, left] as const]
  })
}

/** What is heard in `Lokalny`, of which `except` is left out. */
export const heard = (except: LineFilter['except'], withTopics: boolean): LineFilter => ({
  ...anyLine,
  channel: spokenChannel,
  isSpoken: true,
  except,
  withTopics,
})

/** Where the name of the subject is in a text. */
export const namesOfSubject = (
  { names }: SpokenLore,
  { entity, name }: Subject,
  text: string,
): ReadonlyArray<NameInText> => {
  const key = nameKey(name)
  return namesIn(text, names).filter(found =>
    entity === null
      ? found.entity === null && nameKey(found.text) === key
      : found.entity === entity && found.isCapitalised,
  )
}

/** The names that are looked for: the heading and the other spellings of today. */
export const spellingsOfSubject = ({ day }: SpokenLore, { entity, name }: Subject): ReadonlyArray<string> =>
  entity === null ? [name] : [entity.name, ...spellingsOn(entity, day)]

/** The words that a surface with the name has one of, without Polish marks. */
export const wordsOfSubject = (lore: SpokenLore, subject: Subject): ReadonlyArray<string> => {
  const words = spellingsOfSubject(lore, subject).flatMap(spelling => [
    ...bareWordsOfKey(nameKey(spelling)),
    ...possibleForms(spelling).starts,
  ])
  return [...new Set(words)].filter(word => word.length >= wordCharsMin && !isStopWord(word))
}

/** The speakers that no block answers to. */
export const strangersOf = (
  { names }: Pick<SpokenLore, 'names'>,
  speakers: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const resolve = speakerResolver(names)
  return speakers.filter(speaker => resolve(speaker).stage === 'miss')
}

/** The part of a surface that no block answers to; null where one answers, or it is a word of prose. */
export const strangerIn = ({ names }: Pick<SpokenLore, 'names'>, surface: string): string | null => {
  const found = namesIn(`a ${surface}`, names)
  const [only] = found
  return found.length === 1 && only?.entity === null && only.text === surface ? surface : null
}

/** A shorter word is part of too many names to look for. */
const wordCharsMin = 3

/** The Gracz of a speaker: itself, or the owner of the Postać. */
const personOf = ({ names, day }: SpokenLore, entity: Entity): string | null => {
  if (entity.type === 'Gracz') return entity.name
  if (entity.type !== 'Postać') return null
  const owner = ownerOn(entity, day)
  const gracz = owner === null ? null : resolveName(names, owner, { types: ['Gracz'], upTo: 'alias' }).entity
  return gracz?.name ?? null
}

/** The persons of the participants of a session, as headings of Gracze. */
const playedBy = (lore: SpokenLore, session: Session): ReadonlySet<string> =>
  new Set(
    playersIn(session, lore.names).flatMap(({ name, type }) => {
      const entity = type === null ? null : lore.entities.byHeading.get(nameKey(name))
      const own = (entity ?? []).find(one => one.type === type)
      return own === undefined ? [] : (personOf(lore, own) ?? [])
    }),
  )

interface Ran {
  readonly sessions: Sessions
  readonly logs: ReadonlyMap<string, ReadonlySet<string>>
}

const ranOf = new WeakMap<SpokenLore['names'], Ran>()

/** The narrators who ran every session that cites a transcript and played in none of them, by its name. */
const ranOnly = (lore: SpokenLore): ReadonlyMap<string, ReadonlySet<string>> => {
  const known = ranOf.get(lore.names)
  if (known?.sessions === lore.sessions) return known.logs
  const narrated = perValue(
    (session: Session) => new Set(narratorsOf(lore, session.narrator, session.date).persons),
  )
  const played = perValue((session: Session) => playedBy(lore, session))
  const logs = new Map<string, ReadonlySet<string>>()
  for (const [log, { sessions }] of citationsOf(lore.sessions)) {
    const [first, ...others] = sessions
    if (first === undefined) continue
    const persons = [...narrated(first)].filter(
      person =>
        others.every(one => narrated(one).has(person)) && !sessions.some(one => played(one).has(person)),
    )
    if (persons.length > 0) logs.set(log, new Set(persons))
  }
  ranOf.set(lore.names, { sessions: lore.sessions, logs })
  return logs
}

const headings = perValue((_names: SpokenLore['names']) => new Map<string, ReadonlyArray<NamedPlaces>>())

/** Headings that are remembered for one index of names. */
const headingsMax = 20_000

/** The location and the map that a part of a heading names. */
type NamedPlaces = readonly [location: Entity | null, map: Entity | null]

/** What a heading names, from the whole to its last part. */
const placesOfHeading = ({ names }: SpokenLore, heading: string): ReadonlyArray<NamedPlaces> => {
  const known = headings(names)
  const found = known.get(heading)
  if (found !== undefined) return found
  if (known.size >= headingsMax) known.clear()
  const texts = new Set([cleanPlace(heading), ...placesNamed(heading)])
  const placeIn = (text: string, type: 'Lokacja' | 'Mapa'): Entity | null =>
    resolveName(names, text, { types: [type], upTo: 'lemma' }).entity
  const places = [...texts].map((text): NamedPlaces => [placeIn(text, 'Lokacja'), placeIn(text, 'Mapa')])
  known.set(heading, places)
  return places
}

import { candidatesMax, distanceMax, type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import { applyWindow, type Window } from '#protocol/list.js'
import type { NameSuggestions, NameWitness, SurfaceSuggestion } from '#protocol/lore/names.js'
import { perValueInSlices } from '#src/domain/caching/per-value.js'
import type { View } from '#src/domain/callers/caller.js'
import { type Entities, type Entity, typeOn } from '#src/domain/entities/entity.js'
import { visibleRows } from '#src/domain/entities/projection.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { namesTopics } from '#src/domain/lore/topic-text.js'
import {
  type NameWish,
  type NameWorld,
  resolveWishInSlices,
  roundConfidence,
} from '#src/domain/names/requests.js'
import { locationExclusions } from '#src/domain/places/projection.js'
import { placesOf } from '#src/domain/sessions/reading/mentions.js'
import { type Session, type Sessions, sessionFor } from '#src/domain/sessions/session.js'
import { atOnce, forEachInSlices, type Sliced, sortInSlices } from '#src/domain/slicing/sliced.js'
import { type GatheredLocations, gatherLocations, locationTexts, segmentsOf } from './locations.js'
import { type LocationReport, namedLocationsInSlices } from './named-locations.js'

/**
 * The suggestions of a snapshot, and its report of named locations. Without the right to read sessions only
 * rows of blocks count. Made once for each snapshot and yields while it is made.
 */
export const suggestionsInSlices = function* (
  lore: NormalizedLore,
  { type, minOccurrences = 1 }: SuggestionFilter,
  window: Window,
  view: Pick<View, 'sessions'>,
): Sliced<NameSuggestions> {
  const { found, locations } = yield* (view.sessions ? reportOfAll : reportOfRows)(lore)
  const suggestions = found.suggestions.filter(
    one => one.occurrences >= minOccurrences && (type === undefined || one.type === type),
  )
  const named = locations.locations.filter(one => one.OccurrenceCount >= minOccurrences)
  const page = applyWindow(named, { ...window, named: true })
  return {
    ...applyWindow(suggestions, window),
    leftOut: found.leftOut,
    locations: {
      count: page.count,
      total: named.length,
      leftOut: locations.leftOut,
      items: page.items,
    },
  }
}

/** What suggestions are made from. */
interface NormalizedLore extends NameWorld {
  readonly sessions: Sessions
  readonly files: ReadonlyMap<string, SourceFile>
}

/** The view of which every reader of sessions may see all. */
const openView: View = { mayReadRestricted: false, sessions: true, logs: false, external: false }

const locationsIn = (session: Session, { names }: NameWorld): ReadonlyArray<string> =>
  placesOf(session, names).filter(text => !namesTopics(text))

/** The surfaces of the lore; null after each block and session, so that the reader can pause. */
const surfacesIn = function* (lore: NormalizedLore, withSessions: boolean): Generator<Surface | null, void> {
  for (const entity of lore.entities.all) {
    yield* surfacesOfEntity(entity)
    yield null
  }
  if (!withSessions) return
  for (const one of lore.sessions.all) {
    const session = sessionFor(openView, one)
    yield* surfacesOfSession(session, locationsIn(session, lore), lore.entities)
    yield null
  }
}

const reportLocations = function* (lore: NormalizedLore): Sliced<LocationReport> {
  const gathered: GatheredLocations = new Map()
  yield* forEachInSlices(lore.sessions.all, one => {
    const session = sessionFor(openView, one)
    const witness = {
      kind: 'block',
      file: session.path,
      line: session.copies[0]?.line ?? 1,
      session: session.header,
      entity: null,
    } as const
    for (const line of locationsIn(session, lore))
      gatherLocations(gathered, locationTexts(lore.entities, line), witness)
  })
  return yield* namedLocationsInSlices(lore, gathered, locationExclusions(lore.files))
}

interface Report {
  readonly found: FoundSuggestions
  readonly locations: LocationReport
}

const noLocations: LocationReport = { locations: [], leftOut: 0 }

/** How many unplaced texts are held, and how many of the most frequent are looked up by misspelling. */
const heldMax = 50_000
const lookedUpMax = 1_000
const witnessesMax = 5
/** The longest text that is looked at; no name of a block is as long. */
const surfaceCharsMax = 200

const wishFor = (name: string, type: EntityType | null, noFuzzy: boolean): NameWish => ({
  name,
  type,
  within: null,
  activeOn: null,
  noFuzzy,
  topN: candidatesMax,
  maxDistance: distanceMax,
})

/** Whether a stage before the fuzzy one places the text, whatever the type of the block. One turn: it has no filter. */
const isPlaced = (world: NameWorld, text: string): boolean =>
  atOnce(resolveWishInSlices(world, wishFor(text, null, true))).stage !== 'miss'

const addOccurrence = (known: Unplaced, { text, witness }: Surface): void => {
  known.occurrences += 1
  if (known.texts.size < witnessesMax || known.texts.has(text))
    known.texts.set(text, (known.texts.get(text) ?? 0) + 1)
  const isKnown = known.witnesses.some(({ file, line }) => file === witness.file && line === witness.line)
  if (known.witnesses.length < witnessesMax && !isKnown) known.witnesses.push(witness)
}

/** The key of a text that may be looked at; null where it is too long, or has no letter. */
const keyOfText = (text: string): NameKey | null => {
  const key = text.length > surfaceCharsMax ? null : nameKey(text)
  return key === '' ? null : key
}

/** Whether the text is placed, which is remembered. */
const findPlaced = (world: NameWorld, { placed }: Gathered, text: string): boolean => {
  const key = keyOfText(text)
  if (key === null || placed.has(key)) return key !== null
  if (!isPlaced(world, text)) return false
  placed.add(key)
  return true
}

const gatherText = (world: NameWorld, gathered: Gathered, surface: Surface): void => {
  const { text, type } = surface
  const key = keyOfText(text)
  if (key === null || gathered.placed.has(key)) return
  const id = `${type ?? ''}/${key}`
  const known = gathered.unplaced.get(id)
  if (known !== undefined) return addOccurrence(known, surface)
  if (isPlaced(world, text)) return void gathered.placed.add(key)
  if (gathered.unplaced.size >= heldMax) {
    gathered.leftOut += 1
    return
  }
  const fresh: Unplaced = { key, type, texts: new Map(), occurrences: 0, witnesses: [] }
  gathered.unplaced.set(id, fresh)
  addOccurrence(fresh, surface)
}

const gather = (world: NameWorld, gathered: Gathered, { other, ...surface }: Surface): void => {
  if (other === undefined) return gatherText(world, gathered, surface)
  if (findPlaced(world, gathered, surface.text) || findPlaced(world, gathered, other)) return
  for (const text of [surface.text, other]) gatherText(world, gathered, { ...surface, text })
}

const mostFrequent = (texts: ReadonlyMap<string, number>): string =>
  [...texts].sort(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))[0]?.[0] ?? ''

const byFrequency = (one: Unplaced, other: Unplaced): number =>
  other.occurrences - one.occurrences || (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)

const suggestionOf = function* (
  world: NameWorld,
  { texts, occurrences, witnesses, type }: Unplaced,
): Sliced<SurfaceSuggestion | null> {
  const surface = mostFrequent(texts)
  const { entity, stage, confidence } = yield* resolveWishInSlices(world, wishFor(surface, type, false))
  if (entity === null || stage !== 'fuzzy') return null
  return {
    surface,
    occurrences,
    name: entity.name,
    type: typeOn(entity, world.day),
    confidence: roundConfidence(confidence),
    witnesses,
  }
}

/**
 * The texts that only the fuzzy stage places; a null among `surfaces` is a moment to pause. Looks up the 1,000
 * most frequent ones that no other stage places.
 * Yields every few texts.
 */
const suggestNamesInSlices = function* (
  world: NameWorld,
  surfaces: Iterable<Surface | null>,
): Sliced<FoundSuggestions> {
  const gathered: Gathered = { unplaced: new Map(), placed: new Set(), leftOut: 0 }
  let seen = 0
  for (const surface of surfaces) {
    if (surface !== null) gather(world, gathered, surface)
    seen += 1
    if (seen % 16 === 0) yield
  }
  const sorted = yield* sortInSlices([...gathered.unplaced.values()], byFrequency)
  const suggestions: Array<SurfaceSuggestion> = []
  for (const unplaced of sorted.slice(0, lookedUpMax)) {
    const found = yield* suggestionOf(world, unplaced)
    if (found !== null) suggestions.push(found)
    yield
  }
  return { suggestions, leftOut: gathered.leftOut + Math.max(0, sorted.length - lookedUpMax) }
}

const typeOfTag: ReadonlyMap<string, EntityType | null> = new Map([
  ['lokacja', 'Lokacja'],
  ['drzwi', 'Lokacja'],
  ['grupa', 'Grupa'],
  ['należy_do', null],
])

const mayShow = (text: string): boolean => !namesTopics(text)

/** The texts in the rows of a block that name other blocks. Rows that a session states are left out. */
const surfacesOfEntity = function* (entity: Entity): Generator<Surface, void> {
  for (const { tag, value, source, line } of visibleRows(entity)) {
    const type = typeOfTag.get(tag)
    if (type === undefined || source._tag !== 'File' || !mayShow(value)) continue
    const witness = { kind: 'row', file: source.path, line, session: null, entity: entity.name } as const
    for (const text of type === 'Lokacja' ? segmentsOf(value) : [value]) yield { text, type, witness }
  }
}

const placeOf = ({ header, copies, path }: Session): Omit<NameWitness, 'kind'> => ({
  file: path,
  line: copies[0]?.line ?? 1,
  session: header,
  entity: null,
})

const targetsOf = (target: string): ReadonlyArray<string> => {
  const directive = /^(?:Grupa|Lokacja)\//u.exec(target)
  return directive === null ? target.split(',') : [target.slice(directive[0].length)]
}

const blockTexts = function* (session: Session): Generator<readonly [string, EntityType | null], void> {
  for (const { character } of session.points) yield [character, 'Postać']
  for (const name of session.participants) yield [name, null]
  for (const { entity } of session.changes) yield [entity, null]
  for (const { source, destination } of session.transfers) {
    yield [source, null]
    yield [destination, null]
  }
  for (const { target } of session.intel) for (const name of targetsOf(target)) yield [name.trim(), null]
}

/** The texts in the locations of a session, each segment of a path by itself. */
const locationSurfaces = function* (
  locations: ReadonlyArray<string>,
  entities: Entities,
): Generator<string, void> {
  for (const line of locations)
    for (const { clean } of locationTexts(entities, line)) yield* segmentsOf(clean)
}

/**
 * The texts in a session that should name a block: those in its blocks, and runs of capitalised words in its
 * prose. `session` is without what readers of entities may not see; narrators are left out.
 */
const surfacesOfSession = function* (
  session: Session,
  locations: ReadonlyArray<string>,
  entities: Entities,
): Generator<Surface, void> {
  const place = placeOf(session)
  const block = { kind: 'block', ...place } as const
  for (const [text, type] of blockTexts(session)) if (mayShow(text)) yield { text, type, witness: block }
  for (const text of locationSurfaces(locations.filter(mayShow), entities))
    yield { text, type: 'Lokacja', witness: block }
  const prose = { kind: 'prose', ...place } as const
  for (const [text, other] of proseRuns(session.body))
    yield { text, ...(other === undefined ? {} : { other }), type: null, witness: prose }
}

/** Words of a run of capitalised words, and characters of it; a longer run is no name. */
const wordsMax = 6
const charsMax = 80
const charsMin = 3

/** A run of capitalised words on one line. Linear, because no two parts can match the same character. */
const run = /\p{Lu}[\p{L}\p{M}'’]*(?:[ -]\p{Lu}[\p{L}\p{M}'’]*)*/gu

const blanksBefore = 4

/** Whether the text before a run shows that the run begins no sentence: a letter, a digit or a comma. */
const isWithinSentence = (text: string, at: number): boolean => {
  for (let before = at - 1; before >= 0 && at - before <= blanksBefore; before -= 1) {
    const char = text[before] ?? ''
    if (char === ' ') continue
    return /[\p{L}\p{N},]/u.test(char)
  }
  return false
}

const isName = (surface: string): boolean =>
  surface.length >= charsMin && surface.length <= charsMax && surface.split(/[ -]/u).length <= wordsMax

/**
 * Runs of capitalised words that look like names. A single word that begins a sentence is none, because any word
 * begins with a capital there.
 */
const proseRuns = function* (prose: string): Generator<ProseRun, void> {
  for (const found of prose.matchAll(run)) {
    const [text] = found
    if (isWithinSentence(prose, found.index)) {
      if (isName(text)) yield [text]
      continue
    }
    const rest = text.indexOf(' ')
    if (rest < 0) continue
    const [first, other] = [text, text.slice(rest + 1)].filter(isName)
    if (first !== undefined) yield other === undefined ? [first] : [first, other]
  }
}

/** The reports of a snapshot, each made once: for readers of sessions, and for everybody else. */
const reportOfAll = perValueInSlices(function* (lore: NormalizedLore): Sliced<Report> {
  const found = yield* suggestNamesInSlices(lore, surfacesIn(lore, true))
  return { found, locations: yield* reportLocations(lore) }
})
const reportOfRows = perValueInSlices(function* (lore: NormalizedLore): Sliced<Report> {
  return { found: yield* suggestNamesInSlices(lore, surfacesIn(lore, false)), locations: noLocations }
})

/** What of the suggestions is asked for. */
interface SuggestionFilter {
  readonly type: EntityType | undefined
  readonly minOccurrences: number | undefined
}

/** A text that no stage before the fuzzy one places, in all its spellings. */
interface Unplaced {
  readonly key: NameKey
  readonly type: EntityType | null
  readonly texts: Map<string, number>
  occurrences: number
  readonly witnesses: Array<NameWitness>
}

/** The unplaced texts by key and wanted type, and how many more there were than are held. */
interface Gathered {
  readonly unplaced: Map<string, Unplaced>
  readonly placed: Set<NameKey>
  leftOut: number
}

/** The suggestions of a snapshot, most frequent first, and how many texts were not looked up. */
interface FoundSuggestions {
  readonly suggestions: ReadonlyArray<SurfaceSuggestion>
  readonly leftOut: number
}

/** A text in the lore that should name a block; `type` is the type that its place wants. */
interface Surface {
  readonly text: string
  /** What the name may be instead: the text without the word that begins its sentence. */
  readonly other?: string
  readonly type: EntityType | null
  readonly witness: NameWitness
}

/** A run of capitalised words. Of one that begins a sentence the name may be what follows its first word. */
type ProseRun = readonly [text: string, other?: string]

import { candidatesMax, distanceMax, type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import type { NameWitness, SurfaceSuggestion } from '#protocol/names.js'
import { typeOn } from '#src/domain/entities/state.js'
import { roundConfidence } from '#src/domain/names/asking/answers.js'
import { type NameWish, type NameWorld, resolveWishInSlices } from '#src/domain/names/asking/name-wish.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { sortInSlices } from '#src/domain/slicing/sort-in-slices.js'
import type { Surface } from './surfaces.js'

/** How many unplaced texts are held, and how many of the most frequent are looked up by misspelling. */
const heldMax = 50_000
const lookedUpMax = 1_000
const witnessesMax = 5
/** The longest text that is looked at; no name of a block is as long. */
const surfaceCharsMax = 200

/** A text that no stage before the fuzzy one places, in all its spellings. */
interface Unplaced {
  readonly key: NameKey
  readonly type: EntityType | null
  readonly texts: Map<string, number>
  occurrences: number
  readonly witnesses: Array<NameWitness>
}

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

/** The unplaced texts by key and wanted type, and how many more there were than are held. */
interface Gathered {
  readonly unplaced: Map<string, Unplaced>
  readonly placed: Set<NameKey>
  leftOut: number
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

/** The suggestions of a snapshot, most frequent first, and how many texts were not looked up. */
export interface FoundSuggestions {
  readonly suggestions: ReadonlyArray<SurfaceSuggestion>
  readonly leftOut: number
}

/**
 * The texts that only the fuzzy stage places; a null among `surfaces` is a moment to pause. Looks up the 1,000
 * most frequent ones that no other stage places.
 * Yields every few texts.
 */
export const suggestNamesInSlices = function* (
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

import { type Day, type EntityType, type NameKey, nameCharsMax, nameKey } from '#protocol/atoms.js'
import type { BatchResult, NameCandidate, NameRewrite, ResolvedName } from '#protocol/lore/names.js'
import { perValueInSlices } from '#src/domain/caching/per-value.js'
import { documentOn, type Entities, type Entity, typeOn } from '#src/domain/entities/entity.js'
import { insideOf } from '#src/domain/entities/places.js'
import { commaList } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { nameTags, spellingIn } from '#src/domain/lore/rows/rows.js'
import { removeTopics } from '#src/domain/lore/topic-text.js'
import { forEachInSlices, type Sliced, units } from '#src/domain/slicing/sliced.js'
import { rangesOfNames } from './readings.js'
import { miss, resolveName, resolveNearInSlices } from './resolve.js'
import type { FilterTurn, NameIndex, NameReading, Resolution, ResolveOptions } from './spelling-table.js'

/** What names are resolved in; `day` is today. */
export interface NameWorld {
  readonly entities: Entities
  readonly names: NameIndex
  readonly day: Day
}

/** A name to be resolved for a caller who may read entities. */
export interface NameWish {
  readonly name: string
  /** Only blocks that have this type on the day. */
  readonly type: EntityType | null
  /** Only blocks in this place on the day. */
  readonly within: Entity | null
  /** Aliases count on this day; null: aliases of any day, and everything else as of today. */
  readonly activeOn: Day | null
  readonly noFuzzy: boolean
  readonly topN: number
  readonly maxDistance: number
}

/**
 * Resolves a name for a caller who may read entities. Yields every 128 blocks that the filters of the wish look at,
 * because thousands of blocks may share a name, and every few thousand spellings that the fuzzy stage looks at. A name
 * of more than 400 characters is a miss, and is not normalised.
 */
export const resolveWishInSlices = function* (world: NameWorld, wish: NameWish): Sliced<Resolution> {
  if (wish.name.length > nameCharsMax) return miss
  let cost: number = units.lookup
  const filter = filterOf(world, wish, () => {
    cost += units.candidate
  })
  const options = optionsOf(wish, filter)
  let found = resolveName(world.names, wish.name, options)
  yield cost
  while (options.turn?.isOver() === true) {
    cost = 0
    options.turn.begin()
    found = resolveName(world.names, wish.name, options)
    yield cost
  }
  if (found.stage !== 'miss' || wish.noFuzzy) return found
  return yield* resolveNearInSlices(world.names, wish.name, options)
}

/**
 * Resolves many names in order, equal wishes once. Yields between them. Ends early, with the answers so far, once
 * `isWanted` returns false.
 */
export const resolveWishesInSlices = function* (
  world: NameWorld,
  wishes: ReadonlyArray<NameWish>,
  isWanted: () => boolean,
): Sliced<ReadonlyArray<BatchResult>> {
  const keyOf = makeWishKeys()
  const known = new Map<string, BatchResult>()
  const results: Array<BatchResult> = []
  for (const wish of wishes) {
    if (!isWanted()) break
    const key = keyOf(wish)
    const result =
      known.get(key) ??
      batchResultOf(wish.name, yield* resolveWishInSlices(world, wish), wish.activeOn ?? world.day)
    known.set(key, result)
    results.push(result)
    yield
  }
  return results
}

export const roundConfidence = (confidence: number): number =>
  Math.round(confidence * confidenceScale) / confidenceScale

/** The spelling of a block with this key, as written; the key itself where the block has none. */
export const spellingAsWritten = (entity: Entity, form: string): string => {
  const key = nameKey(form)
  if (key === entity.key) return entity.name
  return listShownSpellings(entity).find(spelling => spelling.key === key)?.text ?? form
}

/** The answer to a query about a name, as of a day; null for a miss (B 4.3). */
export const resolvedNameOf = (found: Resolution, day: Day): ResolvedName | null => {
  const { entity, stage, confidence, ambiguous, readings } = found
  if (stage === 'miss') return null
  return {
    name: entity?.name ?? null,
    typ: entity === null ? null : typeOn(entity, day),
    plik: entity === null ? null : documentShown(entity, day),
    stage,
    confidence: roundConfidence(confidence),
    ambiguous,
    candidates: readings.map(reading => candidateOf(reading, day)),
  }
}

/** How a name was rewritten to reach each candidate. */
export const rewritesOf = (asked: string, found: Resolution, day: Day): ReadonlyArray<NameRewrite> => {
  const { stage, readings } = found
  if (stage === 'miss') return []
  return readings.map(({ entity, form, rule }) => ({
    from: asked,
    to: spellingAsWritten(entity, form),
    stage,
    rule,
    name: entity.name,
    typ: typeOn(entity, day),
  }))
}

/** The answer to one query of a batch. */
export const batchResultOf = (token: string, found: Resolution, day: Day): BatchResult => {
  const { entity, stage, ambiguous } = found
  const result = {
    token,
    resolved: entity?.name ?? null,
    typ: entity === null ? null : typeOn(entity, day),
    stage,
  }
  return ambiguous ? { ...result, ambiguous: true } : result
}

/** A spelling of a block that answers may show. */
export interface ShownSpelling {
  readonly entity: Entity
  readonly text: string
  readonly key: NameKey
}

const spellingsOfRow = ({ tag, value }: Row): ReadonlyArray<string> => {
  const isOneName = nameTags.has(tag)
  if (!isOneName && tag !== 'generyczne_nazwy') return []
  const text = spellingIn({ value })
  if (text === null) return []
  return isOneName ? [text] : commaList(text)
}

/** The heading of a block, then its other spellings and common nouns with any range, each once. */
const listShownSpellings = (entity: Entity): ReadonlyArray<ShownSpelling> => {
  const found = new Map<NameKey, ShownSpelling>([
    [entity.key, { entity, text: entity.name, key: entity.key }],
  ])
  for (const text of entity.rows.flatMap(spellingsOfRow)) {
    const key = nameKey(text)
    if (key !== '' && !found.has(key)) found.set(key, { entity, text, key })
  }
  return [...found.values()]
}

/** The spellings of the blocks of one file, the blocks in their order. Yields between blocks. */
export const spellingsOfGroup = perValueInSlices(function* (
  group: ReadonlyArray<Entity>,
): Sliced<ReadonlyArray<ShownSpelling>> {
  const found: Array<ShownSpelling> = []
  yield* forEachInSlices(group, entity => {
    for (const spelling of listShownSpellings(entity)) found.push(spelling)
  })
  return found
})

/** Blocks that a wish has to look at before it pauses. */
const blocksPerSlice = 128

/** The filter of a wish, which remembers its answers so that the wish can be resolved in several turns. */
interface WishFilter {
  readonly within: (entity: Entity) => boolean
  readonly turn: FilterTurn
}

/** Remembers what `test` returns. Calls it `blocksPerSlice` times in a turn, and `note` at each question. */
const makeWishFilter = (test: (entity: Entity) => boolean, note: () => void): WishFilter => {
  const known = new Map<Entity, boolean>()
  let [left, isOver] = [blocksPerSlice, false]
  return {
    within: entity => {
      note()
      const answer = known.get(entity)
      if (answer !== undefined) return answer
      isOver ||= left === 0
      if (isOver) return false
      left -= 1
      const found = test(entity)
      known.set(entity, found)
      return found
    },
    turn: {
      isOver: () => isOver,
      begin: () => {
        ;[left, isOver] = [blocksPerSlice, false]
      },
    },
  }
}

const filterOf = (
  { entities, day: today }: NameWorld,
  wish: NameWish,
  note: () => void,
): WishFilter | null => {
  const { type, within, activeOn } = wish
  if (type === null && within === null && activeOn === null) return null
  const day = activeOn ?? today
  const isInside = within === null ? null : insideOf(entities, within, day)
  return makeWishFilter(entity => {
    // The stages ask for the ranges of its names: reading them is work of this turn.
    if (activeOn !== null) rangesOfNames(entity)
    return (type === null || typeOn(entity, day) === type) && (isInside === null || isInside(entity))
  }, note)
}

const optionsOf = (wish: NameWish, filter: WishFilter | null): ResolveOptions => ({
  upTo: 'lemma',
  anyGender: true,
  topN: wish.topN,
  maxDistance: wish.maxDistance,
  ...(wish.activeOn === null ? {} : { day: wish.activeOn }),
  ...filter,
})

/** What makes two wishes equal. */
const makeWishKeys = (): ((wish: NameWish) => string) => {
  const places = new Map<Entity, number>()
  return ({ name, type, within, activeOn, noFuzzy, maxDistance }) => {
    const place = within === null ? -1 : (places.get(within) ?? places.size)
    if (within !== null) places.set(within, place)
    return JSON.stringify([name, type, place, activeOn, noFuzzy, maxDistance])
  }
}

/** Decimals of a confidence. */
const confidenceScale = 10_000

const documentShown = (entity: Entity, day: Day): string | null => {
  const document = documentOn(entity, day)
  return document === null ? null : removeTopics(document)
}

const candidateOf = ({ entity, form, cases }: NameReading, day: Day): NameCandidate => ({
  name: entity.name,
  typ: typeOn(entity, day),
  plik: documentShown(entity, day),
  form: spellingAsWritten(entity, form),
  cases,
})

import {
  candidatesMax,
  type Day,
  distanceMax,
  type EntityType,
  type NameKey,
  nameCharsMax,
  nameKey,
} from '#protocol/atoms.js'
import { perValueInSlices } from '#src/domain/caching/per-value-in-slices.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { typeOn } from '#src/domain/entities/state.js'
import { forEachInSlices, type Sliced, units } from '#src/domain/slicing/sliced.js'
import { sortInSlices } from '#src/domain/slicing/sort-in-slices.js'
import type { Resolution } from '../resolution.js'
import { spellingAsWritten } from './answers.js'
import { type NameWorld, resolveWishInSlices } from './name-wish.js'
import { type ShownSpelling, spellingsOfGroup } from './shown-spellings.js'

/** A match of a search: the block, its spelling that matched, and the stage that found it. */
export interface EntityMatch {
  readonly entity: Entity
  readonly token: string
  readonly stage: Resolution['stage'] | 'substring'
}

/** All keys of a group in one text, a line each, so that one scan finds the spellings that hold a text. */
interface GroupText {
  readonly text: string
  /** Where each spelling begins. */
  readonly starts: ReadonlyArray<number>
  readonly spellings: ReadonlyArray<ShownSpelling>
}

const textOfGroup = perValueInSlices(function* (group: ReadonlyArray<Entity>): Sliced<GroupText> {
  const spellings = yield* spellingsOfGroup(group)
  const starts: Array<number> = []
  const keys: Array<NameKey> = []
  let at = 0
  yield* forEachInSlices(spellings, ({ key }) => {
    starts.push(at)
    keys.push(key)
    at += key.length + 1
  })
  return { text: keys.join('\n'), starts, spellings }
})

/** The index of the last start at or before `at`. */
const lineAt = (starts: ReadonlyArray<number>, at: number): number => {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return low
}

/** Matches that are looked at between two yields. */
const matchesPerSlice = 256

/** The first spelling of each block of the group that holds the key. */
const holdersIn = function* (
  { text, starts, spellings }: GroupText,
  key: NameKey,
): Sliced<ReadonlyArray<ShownSpelling>> {
  const found: Array<ShownSpelling> = []
  let last: Entity | null = null
  let matches = 0
  for (let at = text.indexOf(key); at >= 0; ) {
    const line = lineAt(starts, at)
    const spelling = spellings[line]
    if (spelling !== undefined && spelling.entity !== last) {
      last = spelling.entity
      found.push(spelling)
    }
    matches += 1
    if (matches % matchesPerSlice === 0) yield
    const next = starts[line + 1]
    at = next === undefined ? -1 : text.indexOf(key, next)
  }
  return found
}

/** 0 where the spelling begins with the key, 1 where a word of it does, else 2. */
const rankOf = ({ key: spelling }: ShownSpelling, key: NameKey): number => {
  if (spelling.startsWith(key)) return 0
  return spelling.includes(` ${key}`) ? 1 : 2
}

const byRankThenLength =
  (key: NameKey) =>
  (one: ShownSpelling, other: ShownSpelling): number =>
    rankOf(one, key) - rankOf(other, key) || one.key.length - other.key.length

const resolveFirst = function* (
  world: NameWorld,
  query: string,
  type: EntityType | null,
): Sliced<ReadonlyArray<EntityMatch>> {
  const found = yield* resolveWishInSlices(world, {
    name: query,
    type,
    within: null,
    activeOn: null,
    noFuzzy: false,
    topN: candidatesMax,
    maxDistance: distanceMax,
  })
  const forms = new Map(
    found.readings.map(({ entity, form }) => [entity, spellingAsWritten(entity, form)] as const),
  )
  return found.candidates.map(entity => ({
    entity,
    token: forms.get(entity) ?? entity.name,
    stage: found.stage,
  }))
}

const isOfType = (entity: Entity, type: EntityType | null, day: Day): boolean =>
  type === null || typeOn(entity, day) === type

/**
 * The blocks that a text means, then those with a spelling that holds the text: first spellings that begin with
 * it, then those with a word that does, the shorter first. A blank text matches nothing (B 4.1),
 * nor does one of more than 400 characters.
 */
export const searchEntitiesInSlices = function* (
  world: NameWorld,
  query: string,
  type: EntityType | null,
): Sliced<ReadonlyArray<EntityMatch>> {
  if (query.length > nameCharsMax) return []
  const key = nameKey(query)
  if (key === '') return []
  const first = yield* resolveFirst(world, query, type)
  yield
  const leading = new Set(first.map(({ entity }) => entity))
  const holders: Array<ShownSpelling> = []
  for (const group of world.entities.groups) {
    const found = yield* holdersIn(yield* textOfGroup(group), key)
    yield* forEachInSlices(found, spelling => {
      if (!leading.has(spelling.entity) && isOfType(spelling.entity, type, world.day)) holders.push(spelling)
    })
    yield found.length * units.candidate
  }
  const sorted = yield* sortInSlices(holders, byRankThenLength(key))
  const all = [...first]
  yield* forEachInSlices(sorted, ({ entity, text }) => all.push({ entity, token: text, stage: 'substring' }))
  return all
}

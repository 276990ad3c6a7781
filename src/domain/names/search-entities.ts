import {
  candidatesMax,
  type Day,
  distanceMax,
  type EntityType,
  type NameKey,
  nameCharsMax,
  nameKey,
  searchPageMax,
  searchPageShown,
} from '#protocol/atoms.js'
import type { TokenOwner, TokenOwners } from '#protocol/lore/names.js'
import { perValueInSlices } from '#src/domain/caching/per-value.js'
import { homonymsMax } from '#src/domain/entities/entities.js'
import { type Entities, type Entity, typeOn } from '#src/domain/entities/entity.js'
import type { OwnerName } from '#src/domain/entities/projection.js'
import { readFragmentInSlices } from '#src/domain/entities/references.js'
import { forEachInSlices, type Sliced, sortInSlices, units } from '#src/domain/slicing/sliced.js'
import {
  type NameWorld,
  resolveWishInSlices,
  type ShownSpelling,
  spellingAsWritten,
  spellingsOfGroup,
} from './requests.js'
import type { Resolution } from './spelling-table.js'

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

/** The window of a search: an unreadable limit is the default, a larger one the maximum (B 4.1). */
export const searchWindowOf = (query: {
  readonly limit: number | null | undefined
  readonly offset: number | undefined
}): SearchWindow => ({
  limit: Math.min(query.limit ?? searchPageShown, searchPageMax),
  offset: query.offset ?? 0,
})

/** The page of a search as JSON. Yields between entities. */
export const searchPageInSlices = function* (
  query: string,
  all: ReadonlyArray<EntityMatch>,
  { limit, offset }: SearchWindow,
  { day, ownerOf }: { readonly day: Day; readonly ownerOf: OwnerName },
): Sliced<Buffer> {
  const shown = all.slice(offset, offset + limit)
  const [count, total] = [shown.length, all.length]
  const head = { query, count, total, offset, limit, truncated: count !== total }
  const parts: Array<Buffer> = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":[`, 'utf8')]
  for (const [at, match] of shown.entries()) {
    if (at > 0) parts.push(comma)
    parts.push(itemOf(yield* readFragmentInSlices(match.entity, day, day, ownerOf), match))
    yield
  }
  parts.push(Buffer.from(']}'))
  return Buffer.concat(parts)
}

/** The number of different tokens: spellings, and words of names of several words. */
export const countTokensInSlices = function* ({ groups }: Entities): Sliced<number> {
  const tokens = new Set<string>()
  for (const group of groups) {
    yield* forEachInSlices(yield* spellingsOfGroup(group), ({ key }) => tokens.add(key))
    yield* forEachInSlices((yield* wordsOfGroup(group)).keys(), word => tokens.add(word))
    yield
  }
  return tokens.size
}

/**
 * The blocks that have a text as a whole name, else those that have it as one word of a longer name; null for
 * a text that is neither. A whole name hides the words (FORMATS 5.2). No generated form counts. Lists 200.
 * A text of more than 400 characters is neither.
 */
export const tokenOwnersInSlices = function* (entities: Entities, token: string): Sliced<TokenOwners | null> {
  if (token.length > nameCharsMax) return null
  const key = nameKey(token)
  if (key === '') return null
  const whole = wholeNames(entities, key)
  const found: FoundOwners = whole ?? { source: 'word', owners: yield* ownersByWord(entities, key) }
  const owners = foldOwners(found.owners, whole === null ? 2 : 1)
  if (owners.length === 0) return null
  const more = owners.length - homonymsMax
  const listed = { source: found.source, ambiguous: owners.length > 1, owners: owners.slice(0, homonymsMax) }
  return more > 0 ? { ...listed, more } : listed
}

/** A match of a search: the block, its spelling that matched, and the stage that found it. */
interface EntityMatch {
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

/** The part of a search that a page shows. */
interface SearchWindow {
  readonly limit: number
  readonly offset: number
}

/** How the projection of every entity ends, because only a search fills these fields. */
const unmatched = Buffer.from('"MatchedToken":null,"MatchStage":null}', 'utf8')

/** The projection of a match: that of the list of entities, with the two fields of a search. */
const itemOf = (fragment: Buffer, { token, stage }: EntityMatch): Buffer => {
  const end = fragment.length - unmatched.length
  if (end < 0 || !fragment.subarray(end).equals(unmatched))
    throw new Error('a projection of an entity does not end with the fields of a search')
  const matched = `"MatchedToken":${JSON.stringify(token)},"MatchStage":${JSON.stringify(stage)}}`
  return Buffer.concat([fragment.subarray(0, end), Buffer.from(matched, 'utf8')])
}

const comma = Buffer.from(',')

type Owners = ReadonlyArray<Entity>

/** The shortest word of a name that is a token of its own (FORMATS 5.1). */
const wordCharsMin = 3

/** The blocks of one file by the words of their names of several words. */
const wordsOfGroup = perValueInSlices(function* (group: Owners): Sliced<ReadonlyMap<string, Owners>> {
  const words = new Map<string, Array<Entity>>()
  yield* forEachInSlices(yield* spellingsOfGroup(group), ({ entity, key }) => {
    if (!key.includes(' ')) return
    for (const word of key.split(' ')) {
      if (word.length < wordCharsMin) continue
      const known = words.get(word)
      if (known === undefined) words.set(word, [entity])
      else if (known.at(-1) !== entity) known.push(entity)
    }
  })
  return words
})

const ownersByWord = function* ({ groups }: Entities, key: NameKey): Sliced<Owners> {
  const found: Array<Entity> = []
  for (const group of groups) {
    for (const entity of (yield* wordsOfGroup(group)).get(key) ?? []) found.push(entity)
    yield
  }
  return found
}

interface FoundOwners {
  readonly source: TokenOwners['source']
  readonly owners: Owners
}

const wholeNames = ({ byHeading, byAlias, byGeneric }: Entities, key: NameKey): FoundOwners | null => {
  const [headed, called, generic] = [
    byHeading.get(key) ?? [],
    byAlias.get(key) ?? [],
    byGeneric.get(key) ?? [],
  ]
  const owners = [...headed, ...called, ...generic]
  if (owners.length === 0) return null
  return { source: headed.length > 0 ? 'heading' : called.length > 0 ? 'alias' : 'generic', owners }
}

/** Each owner once by name and type (FORMATS 5.2). */
const foldOwners = (owners: Owners, priority: TokenOwner['priority']): ReadonlyArray<TokenOwner> => {
  const folded = new Map<string, TokenOwner>()
  for (const { name, type, key } of owners) {
    const identity = `${type}/${key}`
    if (!folded.has(identity)) folded.set(identity, { name, type, priority })
  }
  return [...folded.values()]
}

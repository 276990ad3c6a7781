import { type NameKey, nameCharsMax, nameKey } from '#protocol/atoms.js'
import type { TokenOwner, TokenOwners } from '#protocol/names.js'
import { perValueInSlices } from '#src/domain/caching/per-value-in-slices.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { homonymsMax } from '#src/domain/entities/homonyms.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { spellingsOfGroup } from './shown-spellings.js'

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

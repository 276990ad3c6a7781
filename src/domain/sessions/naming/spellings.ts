import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { NameForms, NameIndex } from '#src/domain/names/resolution.js'
import { type ProseForms, proseFormsOf } from './prose-forms.js'
import { hashOf, wordsOf } from './words.js'

/** A spelling of the index, from its first word to its last. */
export interface Spelling {
  readonly key: NameKey
  readonly core: string
  readonly words: number
}

/** Spellings whose first word has one hash, found by their core in constant time. */
export interface Candidates {
  /** Numbers of words that occur, the largest first. */
  readonly lengths: ReadonlyArray<number>
  readonly byCore: ReadonlyMap<string, Spelling>
}

/** Spellings by the hash of their first word, all their keys, and their forms. */
export interface Spellings {
  readonly byFirst: ReadonlyMap<number, Candidates>
  readonly keys: ReadonlySet<NameKey>
  /** Null: the index has no forms. */
  readonly forms: ProseForms | null
}

/** The owners of a key: by heading, else by alias, else by generic name; all homonyms are owners. */
export const findOwners = (names: NameIndex, key: NameKey): ReadonlyArray<Entity> =>
  names.exact.get(key) ?? names.alias.get(key) ?? names.generic.get(key) ?? []

/**
 * The entities that have the text as a name, alias or generic name, of the first of these kinds that matches.
 */
export const ownersOf = (names: NameIndex, text: string): ReadonlyArray<Entity> =>
  findOwners(names, nameKey(text))

const shortest = 3

const spellingOf = (key: NameKey): { readonly hash: number; readonly spelling: Spelling } | null => {
  const words = wordsOf(key)
  const [first, last] = [words[0], words.at(-1)]
  if (first === undefined || last === undefined || last.end - first.start < shortest) return null
  const core = key.slice(first.start, last.end)
  return { hash: hashOf(key, first.start, first.end), spelling: { key, core, words: words.length } }
}

const backwards = (one: Spelling, other: Spelling): number => (one.key < other.key ? 1 : -1)

/** Of spellings with one core the first in sort order stays, so the order of the index does not matter. */
const candidatesOf = (made: ReadonlyArray<Spelling>): Candidates => ({
  lengths: [...new Set(made.map(one => one.words))].sort((left, right) => right - left),
  byCore: new Map(made.toSorted(backwards).map(one => [one.core, one])),
})

const makeSpellings = (keys: ReadonlySet<NameKey>, forms: NameForms | null): Spellings => {
  const byFirst = new Map<number, Array<Spelling>>()
  for (const key of keys) {
    const made = spellingOf(key)
    if (made === null) continue
    const known = byFirst.get(made.hash)
    if (known === undefined) byFirst.set(made.hash, [made.spelling])
    else known.push(made.spelling)
  }
  return {
    byFirst: new Map([...byFirst].map(([hash, made]) => [hash, candidatesOf(made)])),
    keys,
    forms: forms === null ? null : proseFormsOf(forms, keys),
  }
}

const sameKeys = (left: ReadonlySet<NameKey>, right: ReadonlySet<NameKey>): boolean => {
  if (left.size !== right.size) return false
  for (const key of left) if (!right.has(key)) return false
  return true
}

/** Keeps the last result, so that an index with the same spellings reuses what was found in prose. */
const memoizeSpellings = (): ((names: NameIndex) => Spellings) => {
  let last: { readonly made: Spellings; readonly forms: NameForms | null } | null = null
  return names => {
    const keys = new Set([...names.exact.keys(), ...names.alias.keys(), ...names.generic.keys()])
    const { forms } = names
    const same =
      last?.forms?.table === forms?.table &&
      last?.forms?.corrections === forms?.corrections &&
      last !== null &&
      sameKeys(last.made.keys, keys)
    if (last === null || !same) last = { made: makeSpellings(keys, forms), forms }
    return last.made
  }
}

/**
 * Every spelling of an index that prose can name: three letters or more (FORMATS 4.7), and its forms. Consecutive
 * indexes with the same spellings get the same object, whatever else of their entities changed.
 */
export const spellingsOf = perValue(memoizeSpellings())

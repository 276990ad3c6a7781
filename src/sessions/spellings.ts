import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { Entity } from '#src/entities/entity.js'
import { perValue } from '#src/lore/per-value.js'
import type { NameIndex } from '#src/names/resolution.js'
import { hashOf, wordsOf } from './words.js'

/** A spelling from its first word to its last, and whom it names. */
export interface Spelling {
  readonly core: NameKey
  readonly words: number
  readonly owners: ReadonlyArray<Entity>
}

/** Spellings by the hash of their first word, the longest first. */
export type Spellings = ReadonlyMap<number, ReadonlyArray<Spelling>>

/** The owners of a key: by heading, else by alias, else by generic name; homonyms are all owners. */
const owning = (names: NameIndex, key: NameKey): ReadonlyArray<Entity> =>
  names.exact.get(key) ?? names.alias.get(key) ?? names.generic.get(key) ?? []

/** The owners of a name as written. */
export const ownersOf = (names: NameIndex, text: string): ReadonlyArray<Entity> =>
  owning(names, nameKey(text))

const shortest = 3

/** Every spelling of an index that prose can name: three letters or more (FORMATS 4.7). */
export const spellingsOf = perValue((names: NameIndex): Spellings => {
  const byFirst = new Map<number, Array<Spelling>>()
  for (const key of new Set([...names.exact.keys(), ...names.alias.keys(), ...names.generic.keys()])) {
    const words = wordsOf(key)
    const [first, last] = [words[0], words.at(-1)]
    if (first === undefined || last === undefined) continue
    const core = nameKey(key.slice(first.start, last.end))
    if (core.length < shortest) continue
    const spelling = { core, words: words.length, owners: owning(names, key) }
    const hash = hashOf(key, first.start, first.end)
    const known = byFirst.get(hash)
    if (known === undefined) byFirst.set(hash, [spelling])
    else known.push(spelling)
  }
  for (const known of byFirst.values())
    known.sort((left, right) => right.words - left.words || right.core.length - left.core.length)
  return byFirst
})

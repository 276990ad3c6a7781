import { type Day, type NameKey, nameCharsMax, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { inNominative, type NameForms, type NameIndex } from '#src/domain/names/spelling-table.js'
import { splitName } from '#src/domain/names/word-table.js'
import { inflectWord } from '#src/domain/polish/inflect.js'
import { hashFolded } from '#src/domain/polish/sounds.js'
import type { CloseLedger, Session, Sessions } from '../session.js'
import { type Folded, foldNarrator, type NarratorLore } from './narrators.js'
import { hashOf, type ProseForms, proseFormsOf, wordRanges } from './prose.js'

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
  /** The spellings and forms in the prose of sessions that were read so far. */
  readonly found: FoundKeys
  /**
   * What was found with the spellings before, and hashes of the words that begin a spelling or form which came or
   * went since: prose with none of them has the same. Null: nothing of it can be used.
   */
  readonly before: { readonly found: FoundKeys; readonly starts: ReadonlySet<number> } | null
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
  const words = wordRanges(key)
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

const makeSpellings = (
  keys: ReadonlySet<NameKey>,
  forms: NameForms | null,
  before: Spellings['before'],
): Spellings => {
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
    found: { bySession: new WeakMap(), isUsed: false },
    before,
  }
}

const sameKeys = (left: ReadonlySet<NameKey>, right: ReadonlySet<NameKey>): boolean => {
  if (left.size !== right.size) return false
  for (const key of left) if (!right.has(key)) return false
  return true
}

const runsOf = (text: string): ReadonlyArray<string> =>
  text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(run => run !== '')

/** The hashes of every word of prose that may be in a form of a spelling. */
const startsOf = (key: NameKey): ReadonlyArray<number> =>
  [...splitName(key), ...inNominative(key).flat()]
    .flatMap(word => [word, ...inflectWord(word).map(one => one.form)])
    .concat(key)
    .flatMap(runsOf)
    .map(hashFolded)

/** Above so many changed spellings all prose is read again. */
const changedMax = 500

/** The hashes of the words that begin a form of a spelling in one set and not in the other; null: too many. */
const startsOfDifference = (
  one: ReadonlySet<NameKey>,
  other: ReadonlySet<NameKey>,
): ReadonlySet<number> | null => {
  const changed = [...one].filter(key => !other.has(key)).concat([...other].filter(key => !one.has(key)))
  if (changed.length > changedMax) return null
  return new Set(changed.flatMap(startsOf))
}

const beforeOf = ({ keys, found, before }: Spellings, next: ReadonlySet<NameKey>): Spellings['before'] => {
  const starts = startsOfDifference(keys, next)
  if (starts === null) return null
  if (found.isUsed) return { found, starts }
  return before === null ? null : { found: before.found, starts: new Set([...before.starts, ...starts]) }
}

const hasSameForms = ({ forms: one }: Last, other: NameForms | null): boolean =>
  one?.table === other?.table && one?.corrections === other?.corrections

/** Keeps the last result, so that an index with the same spellings reuses what was found in prose. */
const memoizeSpellings = (): ((names: NameIndex) => Spellings) => {
  let last: Last | null = null
  return ({ exact, alias, generic, forms }) => {
    const keys = new Set(
      [...exact.keys(), ...alias.keys(), ...generic.keys()].filter(key => key.length <= nameCharsMax),
    )
    const known = last !== null && hasSameForms(last, forms) ? last.made : null
    if (known !== null && sameKeys(known.keys, keys)) return known
    const made = makeSpellings(keys, forms, known === null ? null : beforeOf(known, keys))
    last = { made, forms }
    return made
  }
}

/**
 * Every spelling of an index that prose can name: three letters or more (FORMATS 4.7), and its forms. Consecutive
 * indexes with the same spellings get the same object, whatever else of their entities changed.
 */
export const spellingsOf = perValue(memoizeSpellings())

/** The sessions of one narrator under all spellings, and the spellings, in order of appearance. */
export interface Narrated {
  readonly sessions: ReadonlyArray<Session>
  readonly forms: ReadonlyArray<string>
}

/** The inputs of `foldingOf`. */
export interface FoldingLore extends NarratorLore {
  readonly sessions: Sessions
  readonly day: Day
}

/** Maps the narrators of sessions to persons on a day; computed on first use. */
export const foldingOf = (lore: FoldingLore): Folding => {
  const { sessions, names, day, config } = lore
  const days = kept(sessions)(names)
  const at = `${day} ${config['normalization.narrator_near_form_score']}`
  const made = days.get(at) ?? buildFolding({ sessions, names, day, config })
  days.set(at, made)
  return made
}

/** Whether a name, and each of the spellings that fold to the same narrator, is a written spelling. */
export const isSureOf = ({ fold }: Folding, spellings: ReadonlyArray<string>): boolean =>
  spellings.every(text => {
    const folded = fold(text)
    return folded._tag !== 'Person' || folded.sure
  })

/**
 * The inputs of every read of sessions. A snapshot has all of them; values derived from one are cached as
 * long as it lives.
 */
export interface SessionLore extends FoldingLore {
  readonly files: ReadonlyMap<string, SourceFile>
  readonly closeLedger: CloseLedger
  /** Findings of files that no area owns, including those of effects. */
  readonly findings: ReadonlyArray<Finding>
}

/** Keys by session; `isUsed` is false while no session was read. */
interface FoundKeys {
  readonly bySession: WeakMap<Session, ReadonlySet<NameKey>>
  isUsed: boolean
}

interface Last {
  readonly made: Spellings
  readonly forms: NameForms | null
}

/** All narrators of a snapshot, by `Folded.key`. */
interface Folding {
  readonly fold: (text: string) => Folded
  readonly byKey: ReadonlyMap<string, Narrated>
}

interface Gathered {
  readonly sessions: Set<Session>
  readonly forms: Set<string>
}

const buildFolding = ({ sessions, day, ...lore }: FoldingLore): Folding => {
  const known = new Map<string, Folded>()
  const fold = (text: string): Folded => {
    const folded = known.get(text) ?? foldNarrator(lore, text, day)
    known.set(text, folded)
    return folded
  }
  const byKey = new Map<string, Gathered>()
  for (const session of sessions.all)
    for (const form of session.narrators) {
      const { key } = fold(form)
      const gathered = byKey.get(key) ?? { sessions: new Set(), forms: new Set() }
      gathered.sessions.add(session)
      gathered.forms.add(form)
      byKey.set(key, gathered)
    }
  return {
    fold: text => known.get(text) ?? foldNarrator(lore, text, day),
    byKey: new Map(
      [...byKey].map(([key, gathered]) => [
        key,
        { sessions: [...gathered.sessions], forms: [...gathered.forms] },
      ]),
    ),
  }
}

/** Days with their folding; one entry for each similarity of a host, which is one until it restarts. */
const kept = perValue((_sessions: Sessions) => perValue((_names: NameIndex) => new Map<string, Folding>()))

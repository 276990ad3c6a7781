import { type Day, type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import type { Entity, Owners } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { isAdjectivalSurname, isAdjectiveLike } from '#src/domain/polish/adjective.js'
import type { Titles } from '#src/domain/polish/inflect.js'
import { numeralWords, particles, prepositions } from '#src/domain/polish/irregular.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { makeNearSpellings, type NearSpellings } from './near-spellings.js'
import {
  type FormCorrections,
  type LanguageData,
  makeNameTrie,
  makeWordTable,
  type NameTrie,
  numberList,
  splitName,
  type WordTable,
  words32,
} from './word-table.js'

/** A name in which a word stands, as its head or elsewhere. */
export interface WordPlace {
  readonly spelling: NameKey
  readonly isHead: boolean
}

/**
 * The spellings of blocks, read word by word. Like its word table it only grows: whose name a spelling is, and whether
 * it is one still, the maps of owners say. Every read makes the forms of postponed spellings first, in the order in
 * which they were added, so its answer does not depend on when they are made.
 */
export interface SpellingTable {
  readonly words: WordTable
  readonly trie: NameTrie
  readonly spellings: NearSpellings
  readonly size: () => number
  /** Adds a spelling of which the next read or `fillInSlices` makes the forms. */
  readonly postpone: (key: NameKey) => void
  readonly isFilled: () => boolean
  /** Makes the forms of postponed spellings. */
  readonly fillInSlices: () => Sliced<void>
  /** The spellings that end at a node of the trie, or those from which a name is computed that does: the last 1,000. */
  readonly endsAt: (node: number, isComputed: boolean) => ReadonlyArray<NameKey>
  /** The names of several words that the word may stand for alone, at most `max`; null: there are more. */
  readonly placesOf: (word: number, max: number) => ReadonlyArray<WordPlace> | null
}

/** Longer names have no forms: they resolve as written. */
export const nameWordsMax = 16

/** An empty table; `titles` decide which first words are no part of a name. */
export const makeSpellingTable = (titles: Titles): SpellingTable => {
  const keys: Array<NameKey> = []
  const known = new Set<NameKey>()
  const words = makeWordTable()
  const trie = makeNameTrie()
  const spellings = makeNearSpellings()
  const keyOf = (spelling: number): NameKey => keys[spelling] ?? nameKey('')
  const places = makePlaces(keyOf)

  const addWords = addWordsTo(titles, { words, trie, places })
  const filling = makeFilling(keys, words.size, (key, spelling) => {
    spellings.add(key)
    addWords(key, spelling)
  })
  const postpone = (key: NameKey): void => {
    if (known.has(key)) return
    known.add(key)
    keys.push(key)
  }

  return {
    get words() {
      filling.fill()
      return words
    },
    get trie() {
      filling.fill()
      return trie
    },
    get spellings() {
      filling.fill()
      return spellings
    },
    size: () => keys.length,
    postpone,
    isFilled: filling.isFilled,
    fillInSlices: () => filling.fillInSlices(),
    endsAt: (node, isComputed) => {
      filling.fill()
      return trie.valuesAt(node, isComputed, endsMax).map(keyOf)
    },
    placesOf: (word, max) => {
      filling.fill()
      return places.of(word, max)
    },
  }
}

/** `Trzech Muszkieterów`: the words of the name in the nominative, from which its forms are made. */
export const inNominative = (name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [numeral = '', ...rest] = splitName(name)
  if (!numeralWords.has(numeral)) return []
  const nominative = rest.map(word =>
    word
      .replace(/ów$/u, 'owie')
      .replace(/ych$/u, 'e')
      .replace(/(?<=[kg]i)ch$/u, 'e'),
  )
  return nominative.every((word, at) => word === rest[at]) ? [] : [[numeral, ...nominative]]
}

/** How a name was matched (B 4.3, FORMATS 5.5). */
export type ResolutionStage =
  | 'exact'
  | 'alias'
  | 'declension'
  | 'alternation'
  | 'title'
  | 'lemma'
  | 'fuzzy'
  | 'miss'

/**
 * The last stage that a caller takes. `alias`: headings, written aliases and generic names. `alternation`: also
 * computed aliases and generated forms. `lemma`: also a name behind a title, and annotated lemmas. `fuzzy`: all.
 */
export type NameReach = 'alias' | 'alternation' | 'lemma' | 'fuzzy'

/** A turn of a filter. Once it is over, the filter refuses blocks that it has not looked at. */
export interface FilterTurn {
  /** True ends a search with a miss: the caller begins the next turn and asks again. */
  readonly isOver: () => boolean
  readonly begin: () => void
}

export interface ResolveOptions {
  readonly upTo: NameReach
  /** Only blocks of these types count. Applied before homonyms are judged (FORMATS 5.2). */
  readonly types?: ReadonlyArray<EntityType>
  /** Aliases count only when their range covers the day; absent: any range. */
  readonly day?: Day
  /** Only blocks that it accepts count: those of a region, or those that the caller may see. */
  readonly within?: (entity: Entity) => boolean
  /** The turns of a `within` that looks at a bounded number of blocks in each. */
  readonly turn?: FilterTurn
  /** The largest spelling distance of the fuzzy stage, 0 to 3; absent: 3. */
  readonly maxDistance?: number
  /** Forms that grammar makes of a name for the other gender count too, below all others. */
  readonly anyGender?: boolean
  /** A word that one block alone has in its names does not stand for the block. */
  readonly wholeNames?: boolean
  /** The most readings of the answer; absent: 20. `candidates` has all owners. */
  readonly topN?: number
}

/** How a text is a form of one candidate. */
export interface NameReading {
  readonly entity: Entity
  /** The heading or alias that the text is a form of. */
  readonly form: string
  /** Number and case as `sg.gen`; empty where the stage knows none. */
  readonly cases: ReadonlyArray<string>
  /** What was undone, for `?explain`: `exact`, `alias`, `a>y`, `title`, `distance 2`. */
  readonly rule: string
}

/**
 * `entity` is null on a miss, and when several owners remain (`ambiguous`, with them in `candidates`).
 */
export interface Resolution {
  readonly entity: Entity | null
  readonly stage: ResolutionStage
  readonly confidence: number
  readonly ambiguous: boolean
  /** All owners of a written name that no `within` or `day` filters; else at most 201. */
  readonly candidates: ReadonlyArray<Entity>
  /** Of the first `topN` candidates, best first. */
  readonly readings: ReadonlyArray<NameReading>
}

/** The generated forms of the spellings of an index. */
export interface NameForms {
  readonly table: SpellingTable
  readonly titles: Titles
  readonly corrections: FormCorrections
}

/** The owners of every spelling, and the forms of the spellings. */
export interface NameIndex {
  readonly exact: Owners
  readonly alias: Owners
  /** By the names of `@generyczne_nazwy`, used only when no alias matches. */
  readonly generic: Owners
  /** Null: forms were not built, or the names are above the budget; then names resolve as written. */
  readonly forms: NameForms | null
  readonly language: LanguageData
  readonly findings: ReadonlyArray<Finding>
}

/** What a stage found. `readingOf` is asked for the candidates that the answer shows. */
export interface StageHit {
  readonly stage: Exclude<ResolutionStage, 'miss'>
  readonly confidence: number
  readonly candidates: ReadonlyArray<Entity>
  readonly readingOf: (entity: Entity) => Omit<NameReading, 'entity'>
  /** Cases of the reading as bits; all where they are not known. */
  readonly cases: number
}

/** New words between two pauses: about 3 ms. */
const wordsPerSlice = 48

const keysPerSlice = 256

/** How many spellings of one node are read: thousands of blocks may be called `Strażnik (n)`. */
const endsMax = 1_000

/** Which names hold a word: a list of links for each word, and in each link a spelling and whether it is its head. */
const makePlaces = (keyOf: (spelling: number) => NameKey) => {
  const [first, places, next] = [numberList(words32), numberList(words32), numberList(words32)]
  places.push(0)
  next.push(0)
  return {
    add: (word: number, spelling: number, isHead: boolean): void => {
      while (first.length <= word) first.push(0)
      places.push(spelling * 2 + Number(isHead))
      next.push(first.at(word))
      first.set(word, places.length - 1)
    },
    of: (word: number, max: number): ReadonlyArray<WordPlace> | null => {
      const found: Array<WordPlace> = []
      for (let link = word < first.length ? first.at(word) : 0; link !== 0; link = next.at(link)) {
        if (found.length === max) return null
        const place = places.at(link)
        found.push({ spelling: keyOf(place >> 1), isHead: place % 2 === 1 })
      }
      return found
    },
  }
}

/** Calls `fillOne` once for each key of a list that grows, in its order. */
const makeFilling = (
  keys: ReadonlyArray<NameKey>,
  wordCount: () => number,
  fillOne: (key: NameKey, spelling: number) => void,
) => {
  let filled = 0
  const fillNext = (): boolean => {
    const key = keys[filled]
    if (key === undefined) return false
    fillOne(key, filled)
    filled += 1
    return true
  }
  return {
    isFilled: () => filled === keys.length,
    fill: (): void => {
      while (fillNext());
    },
    fillInSlices: function* (): Sliced<void> {
      let [counted, from] = [wordCount(), filled]
      while (fillNext()) {
        if (wordCount() - counted < wordsPerSlice && filled - from < keysPerSlice) continue
        yield
        counted = wordCount()
        from = filled
      }
    },
  }
}

/** Adds the words of a spelling, with those of its computed names. */
const addWordsTo = (
  titles: Titles,
  {
    words,
    trie,
    places,
  }: {
    readonly words: WordTable
    readonly trie: NameTrie
    readonly places: ReturnType<typeof makePlaces>
  },
) => {
  const addPath = (path: ReadonlyArray<string>, spelling: number, isComputed: boolean): void => {
    if (path.length > 0 && path.length <= nameWordsMax) trie.add(path.map(words.add), spelling, isComputed)
  }

  return (key: NameKey, spelling: number): void => {
    const all = splitName(key)
    addPath(all, spelling, false)
    if (all.length < 2 || all.length > nameWordsMax) return
    for (const path of computeAliases(key, titles)) addPath(path, spelling, true)
    const single = singleWords(all, titles)
    const isFirst = (at: number): boolean => all.indexOf(all[at] ?? '') === at
    for (const at of new Set([...single.all, ...(single.head === null ? [] : [single.head])]))
      if (isFirst(at)) places.add(words.add(all[at] ?? ''), spelling, at === single.head)
  }
}

const quoted = /[„”“"«»]([^„”“"«»]{1,100})[„”“"«»]/gu

const qualifier = /\s\([^()]*\)$/u

/** `Torek „Kruk” Zdrojek`: the nickname, and the name without it. */
const withoutNickname = (name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const nicknames = [...name.matchAll(quoted)].map(([, text = '']) => splitName(text))
  return nicknames.length === 0 ? [] : [...nicknames, splitName(name.replace(quoted, ' '))]
}

/** `Elmira Zdrojek-Morawińska`: the name with either half of the surname. */
const halvesOf = (name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [last = '', ...before] = name.split(' ').reverse()
  const halves = last.split('-').filter(half => half !== '')
  if (halves.length !== 2 || before.length === 0) return []
  const first = before.reverse().join(' ')
  return halves.map(half => splitName(`${first} ${half}`))
}

/** `Kupiec Orrin`: the name without the titles before it. */
const withoutTitle = (name: string, titles: Titles): ReadonlyArray<ReadonlyArray<string>> => {
  const words = splitName(name)
  const from = words.findIndex(word => !titles.has(word))
  const second = words[from]
  return from <= 0 || second === undefined || prepositions.has(second) ? [] : [words.slice(from)]
}

/** The other names that a heading or alias gives its block by itself, as words (B 4.3, "computed alias"). */
const computeAliases = (name: string, titles: Titles): ReadonlyArray<ReadonlyArray<string>> => {
  const bare = name.replace(qualifier, '')
  const all = [
    ...(bare === name ? [] : [splitName(bare)]),
    ...withoutNickname(bare),
    ...halvesOf(bare),
    ...withoutTitle(bare, titles),
    ...inNominative(bare),
  ]
  return all.filter(words => words.length > 0)
}

const singleCharsMin = 3

/**
 * The words of a name of several that may stand for it where no other block has them: not its titles, adjectives,
 * particles and what follows a preposition. Of other things than persons only the head does. Surnames are adjectives
 * too: those in -ski, and in the last place those in -owa.
 */
const singleWords = (
  words: ReadonlyArray<string>,
  titles: Titles,
): { readonly all: ReadonlyArray<number>; readonly head: number | null } => {
  if (words.length < 2) return { all: [], head: null }
  const preposition = words.findIndex(word => prepositions.has(word))
  const end = preposition < 0 ? words.length : preposition
  const counted = words
    .map((word, at) => ({ word, at, isAdjective: isAdjectiveLike(word) && !isAdjectivalSurname(word) }))
    .slice(0, end)
    .filter(
      ({ word, at, isAdjective }) =>
        word.length >= singleCharsMin &&
        !particles.has(word) &&
        /^\p{L}/u.test(word) &&
        (!isAdjective || (word.endsWith('owa') && at === end - 1)),
    )
  return {
    all: counted.filter(({ word }) => !titles.has(word)).map(({ at }) => at),
    head: counted.find(({ isAdjective }) => !isAdjective)?.at ?? null,
  }
}

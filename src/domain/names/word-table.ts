import { type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import { perValueInSlices } from '#src/domain/caching/per-value.js'
import { inflectWord } from '#src/domain/polish/inflect.js'
import { particles } from '#src/domain/polish/irregular.js'
import { foldDiacritics, foldLetter, hashFolded } from '#src/domain/polish/sounds.js'
import { allCases, type Rank, sure, type WordForm } from '#src/domain/polish/word-form.js'
import { forEachInSlices, forEachNestedInSlices, type Sliced } from '#src/domain/slicing/sliced.js'

/** A token read as a form of a word. */
export interface WordHit {
  readonly word: number
  /** Cases as bits, with and without those of rare paradigms. A base form that is not inflected has all. */
  readonly cases: number
  readonly surestCases: number
  readonly rank: Rank
  readonly isAltered: boolean
  readonly isBase: boolean
  /** A form of the other gender (`WordForm`). */
  readonly isOtherGender: boolean
  /** The token lacks diacritics that the form has, or has an apostrophe that it does not need: Nick’a. */
  readonly isFolded: boolean
}

/**
 * The words of names with all their forms, found by any form with or without its diacritics. It only grows: what a
 * word's forms are depends on nothing else, so snapshots share one table.
 */
export interface WordTable {
  readonly size: () => number
  readonly formCount: () => number
  readonly textOf: (word: number) => string
  /** The number of the word, which is new when the table did not have it. */
  readonly add: (text: string) => number
  readonly lookUp: (token: string) => ReadonlyArray<WordHit>
  /** Whether a token with this `hashFolded` may be a form. */
  readonly mayHave: (hash: number) => boolean
}

export const makeWordTable = (): WordTable => {
  const words = textRegister()
  const rests = textRegister()
  const slots = hashSlots()
  const forms = formColumns()

  const addForm = (word: number, base: string, form: string, bits: number): void => {
    const shared = commonPrefix(base, form)
    slots.add(hashFolded(form), forms.word.length)
    forms.word.push(word)
    forms.shared.push(shared)
    forms.rest.push(rests.add(form.slice(shared)))
    forms.bits.push(bits >>> 0)
  }

  const compareWith = (token: string, entry: number): -1 | 0 | 1 =>
    compareToken(
      token,
      words.texts[forms.word.at(entry)] ?? '',
      forms.shared.at(entry),
      rests.texts[forms.rest.at(entry)] ?? '',
    )

  const addWord = (text: string): number => {
    const word = words.add(text)
    const found = particles.has(text) ? [] : inflectWord(text)
    if (found.length === 0) addForm(word, text, text, uninflectedBits)
    for (const one of found) addForm(word, text, one.form, bitsOf(one, one.form === text))
    return word
  }

  const readForms = (token: string, isFolded = false): ReadonlyArray<WordHit> => {
    const hits: Array<WordHit> = []
    slots.find(hashFolded(token), entry => {
      const compared = compareWith(token, entry)
      if (compared >= 0)
        hits.push(hitOf(forms.word.at(entry), forms.bits.at(entry), isFolded || compared === 1))
      return false
    })
    return token.includes("'") ? [...hits, ...readForms(token.replaceAll("'", ''), true)] : hits
  }

  const found = rememberHits(token => readForms(token))

  return {
    size: () => words.texts.length,
    formCount: () => forms.word.length,
    textOf: word => words.texts[word] ?? '',
    add: text => {
      const known = words.numberOf(text)
      if (known !== undefined) return known
      found.forget()
      return addWord(text)
    },
    mayHave: hash => slots.find(hash, accept) >= 0,
    lookUp: found.of,
  }
}

/**
 * The words of the key of a name: letters and digits, with apostrophes inside, whatever is between them.
 * `torek „kruk” zdrojek` has three.
 */
export const splitName = (key: NameKey | string): ReadonlyArray<string> =>
  oneWord.test(key) ? [key] : (key.match(words) ?? [])

/** An empty list whose numbers fit the array that `make` returns. */
export const numberList = (make: (length: number) => Numbers): NumberList => {
  let all = make(64)
  let length = 0
  return {
    get length() {
      return length
    },
    at: index => all[index] ?? 0,
    push: value => {
      if (length === all.length) all = grow(all, make)
      all[length] = value
      length += 1
    },
    set: (index, value) => {
      all[index] = value
    },
  }
}

export const words32 = (length: number): Uint32Array => new Uint32Array(length)

export const hashSlots = (): HashSlots => {
  // Sixteen parts, so that none takes long when it doubles.
  const parts = Array.from({ length: 16 }, hashPart)
  const partOf = (hash: number): HashSlots => parts[hash >>> 28] ?? hashPart()
  return {
    add: (hash, entry) => partOf(hash).add(hash, entry),
    find: (hash, isMatch) => partOf(hash).find(hash, isMatch),
  }
}

/**
 * Names as paths of word numbers. A name ends at a node; several may end at one (`Torek-Zdrojek`, `Torek Zdrojek`).
 * Names as written and computed names of a node are apart, so that thousands of the one hide none of the other.
 */
export interface NameTrie {
  readonly root: number
  /** The node after one more word; -1 when no name continues so. */
  readonly step: (node: number, word: number) => number
  /** Adds the path of `words` with a value at its end. */
  readonly add: (words: ReadonlyArray<number>, value: number, isComputed: boolean) => void
  /** Whether a name ends at the node. */
  readonly isEnd: (node: number) => boolean
  /** The last `max` values of one kind at the node, in the order in which they were added. */
  readonly valuesAt: (node: number, isComputed: boolean, max: number) => ReadonlyArray<number>
}

export const makeNameTrie = (): NameTrie => {
  const slots = hashSlots()
  const [parents, words] = [numberList(words32), numberList(words32)]
  // Values of a node as two lists of links, as written and computed; 0 ends a list.
  const [written, computed] = [numberList(words32), numberList(words32)]
  const [values, next] = [numberList(words32), numberList(words32)]
  const addNode = (parent: number, word: number): number => {
    parents.push(parent)
    words.push(word)
    written.push(0)
    computed.push(0)
    return parents.length - 1
  }
  const root = addNode(0, 0)
  values.push(0)
  next.push(0)
  const step = (node: number, word: number): number =>
    slots.find(pairHash(node, word), child => parents.at(child) === node && words.at(child) === word)

  const stepOrAdd = (node: number, word: number): number => {
    const known = step(node, word)
    if (known >= 0) return known
    const child = addNode(node, word)
    slots.add(pairHash(node, word), child)
    return child
  }

  const collect = (start: number, max: number): ReadonlyArray<number> => {
    const found: Array<number> = []
    for (let link = start; link !== 0 && found.length < max; link = next.at(link)) found.push(values.at(link))
    return found.reverse()
  }

  return {
    root,
    step,
    add: (path, value, isComputed) => {
      const node = path.reduce(stepOrAdd, root)
      const first = isComputed ? computed : written
      values.push(value)
      next.push(first.at(node))
      first.set(node, values.length - 1)
    },
    isEnd: node => written.at(node) !== 0 || computed.at(node) !== 0,
    valuesAt: (node, isComputed, max) => {
      const link = (isComputed ? computed : written).at(node)
      if (link === 0) return nothing
      if (next.at(link) === 0) return [values.at(link)]
      return collect(link, max)
    },
  }
}

/** The corrections of `odmiany.tsv` by form. */
export interface FormCorrections {
  readonly added: ReadonlyMap<string, ReadonlyArray<AddedForm>>
  /**
   * The types whose blocks of the heading lose the form, given as its words, or with `isFolded` all forms that differ
   * from the words in diacritics alone; null among them: those of every type.
   */
  readonly typesWithout: (
    words: ReadonlyArray<string>,
    isFolded: boolean,
    heading: NameKey,
  ) => ReadonlySet<EntityType | null> | undefined
}

/** The corrections by the key of the form. Yields between headings. */
export const correctionsInSlices = perValueInSlices(function* (
  language: LanguageData,
): Sliced<FormCorrections> {
  const added = new Map<string, Array<AddedForm>>()
  const forbidden = new Map<string, ForbiddenTypes>()
  const folded = new Map<string, ForbiddenTypes>()
  const take = (heading: NameKey, { form, isForbidden, type }: FormCorrection): void => {
    if (!isForbidden) {
      getOrAdd(added, nameKey(form), (): Array<AddedForm> => []).push({ heading, type })
      return
    }
    const words = splitName(nameKey(form)).join(' ')
    for (const [forms, key] of [
      [forbidden, words],
      [folded, bareText(words)],
    ] as const) {
      const headings = getOrAdd(forms, key, (): ForbiddenTypes => new Map())
      getOrAdd(headings, heading, () => new Set<EntityType | null>()).add(type)
    }
  }
  yield* forEachNestedInSlices(language.forms, ([heading, corrections]) =>
    forEachInSlices(corrections, correction => take(heading, correction)),
  )
  const typesWithout: FormCorrections['typesWithout'] = (words, isFolded, heading) => {
    if (forbidden.size === 0) return undefined
    const text = words.join(' ')
    return (isFolded ? folded.get(bareText(text)) : forbidden.get(text))?.get(heading)
  }
  return { added, typesWithout }
})

/** A line of `odmiany.tsv`: a form that a heading has, or that it does not have although the grammar makes it. */
export interface FormCorrection {
  readonly form: string
  readonly isForbidden: boolean
  /** The block of this type alone, where several share the heading; null: every one. */
  readonly type: EntityType | null
}

/** What the files of `corpora.lang` say about names. */
export interface LanguageData {
  /** By the key of the heading. */
  readonly forms: ReadonlyMap<NameKey, ReadonlyArray<FormCorrection>>
  /** Titles in the nominative, beside those of the grammar. */
  readonly titles: ReadonlyArray<string>
  /** Annotated lemmas: by the key of a form, the names that it may stand for. */
  readonly lemmas: ReadonlyMap<NameKey, ReadonlyArray<string>>
}

/** Where no `corpora.lang` is configured. */
export const emptyLanguage: LanguageData = { forms: new Map(), titles: [], lemmas: new Map() }

/** How many tokens are remembered with their forms. */
const foundMax = 4096

const rankShift = 14
const alteredBit = 1 << 16
const otherGenderBit = 1 << 17
const surestShift = 18

const commonPrefix = (one: string, other: string): number => {
  const max = Math.min(one.length, other.length, 255)
  let at = 0
  while (at < max && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return at
}

/** 0: the token is the form. 1: it is the form with diacritics left out. -1: it is another text. */
const compareToken = (token: string, base: string, shared: number, rest: string): -1 | 0 | 1 => {
  if (token.length !== shared + rest.length) return -1
  let found: 0 | 1 = 0
  for (let at = 0; at < token.length; at += 1) {
    const code = at < shared ? base.charCodeAt(at) : rest.charCodeAt(at - shared)
    const given = token.charCodeAt(at)
    if (given === code) continue
    if (given !== foldLetter(code)) return -1
    found = 1
  }
  return found
}

const accept = (): boolean => true

/** Texts by number: each text once. */
const textRegister = () => {
  const texts: Array<string> = []
  const numbers = new Map<string, number>()
  return {
    texts,
    numberOf: (text: string): number | undefined => numbers.get(text),
    add: (text: string): number => {
      const known = numbers.get(text)
      if (known !== undefined) return known
      numbers.set(text, texts.length)
      texts.push(text)
      return texts.length - 1
    },
  }
}

/** The rank of a base form, which is always sure, has a number of its own. */
const baseRank = 3
const ranks: ReadonlyArray<Rank> = [0, 1, 2, sure]

const bitsOf = ({ cases, surestCases, rank, isAltered, isOtherGender }: WordForm, isBase: boolean): number =>
  cases |
  ((isBase ? baseRank : rank) << rankShift) |
  (isAltered ? alteredBit : 0) |
  (isOtherGender ? otherGenderBit : 0) |
  (surestCases << surestShift)

/** Those of a word that is not inflected: it is in every case. */
const uninflectedBits = allCases | (allCases << surestShift) | (baseRank << rankShift)

/** The forms in columns: the word, how many characters are its own, what follows them, and the rest as bits. */
const formColumns = () => ({
  word: numberList(words32),
  shared: numberList(bytes),
  rest: numberList(words16),
  bits: numberList(words32),
})

const hitOf = (word: number, bits: number, isFolded: boolean): WordHit => ({
  word,
  cases: bits & allCases,
  surestCases: bits >>> surestShift,
  rank: ranks[(bits >> rankShift) & 3] ?? sure,
  isAltered: (bits & alteredBit) !== 0,
  isBase: ((bits >> rankShift) & 3) === baseRank,
  isOtherGender: (bits & otherGenderBit) !== 0,
  isFolded,
})

/** Remembers the forms of the tokens that were looked up, until `forget`. */
const rememberHits = (read: WordTable['lookUp']) => {
  const known = new Map<string, ReadonlyArray<WordHit>>()
  return {
    of: (token: string): ReadonlyArray<WordHit> => {
      const found = known.get(token)
      if (found !== undefined) return found
      if (known.size >= foundMax) known.clear()
      const hits = read(token)
      known.set(token, hits)
      return hits
    },
    forget: () => known.clear(),
  }
}

const words = /[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*/gu
const oneWord = /^\p{L}+$/u

/** A list of whole numbers in a typed array, which doubles when it is full. */
interface NumberList {
  readonly length: number
  readonly at: (index: number) => number
  readonly push: (value: number) => void
  readonly set: (index: number, value: number) => void
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array

const grow = <A extends Numbers>(all: A, make: (length: number) => A): A => {
  const next = make(all.length * 2)
  next.set(all)
  return next
}

const bytes = (length: number): Uint8Array => new Uint8Array(length)
const words16 = (length: number): Uint16Array => new Uint16Array(length)

/** A multimap from hashes to entry numbers, with open addressing. It compares hashes; the caller compares keys. */
interface HashSlots {
  readonly add: (hash: number, entry: number) => void
  /** The first entry with this hash for which `isMatch` returns true; -1 without one. */
  readonly find: (hash: number, isMatch: (entry: number) => boolean) => number
}

const hashPart = (): HashSlots => {
  let slots = new Int32Array(64)
  let hashes = new Uint32Array(64)
  let count = 0
  const put = (hash: number, value: number): void => {
    const mask = slots.length - 1
    let at = hash & mask
    while (slots[at] !== 0) at = (at + 1) & mask
    slots[at] = value
    hashes[at] = hash
  }
  const double = (): void => {
    const [oldSlots, oldHashes] = [slots, hashes]
    slots = new Int32Array(oldSlots.length * 2)
    hashes = new Uint32Array(oldSlots.length * 2)
    for (let at = 0; at < oldSlots.length; at += 1) {
      const value = oldSlots[at] ?? 0
      if (value !== 0) put(oldHashes[at] ?? 0, value)
    }
  }
  return {
    add: (hash, entry) => {
      if (count * 3 >= slots.length * 2) double()
      put(hash, entry + 1)
      count += 1
    },
    find: (hash, isMatch) => {
      const mask = slots.length - 1
      for (let at = hash & mask; ; at = (at + 1) & mask) {
        const value = slots[at] ?? 0
        if (value === 0) return -1
        if (hashes[at] === hash && isMatch(value - 1)) return value - 1
      }
    },
  }
}

const pairHash = (node: number, word: number): number => {
  let hash = Math.imul(node, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

const nothing: ReadonlyArray<number> = []

/** A heading that a form was added to; `type`: of the block of this type alone. */
interface AddedForm {
  readonly heading: NameKey
  readonly type: EntityType | null
}

/** A text without what a folded reading does not have: diacritics and apostrophes. */
const bareText = (text: string): string => foldDiacritics(text).replaceAll("'", '')

type ForbiddenTypes = Map<NameKey, Set<EntityType | null>>

const getOrAdd = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

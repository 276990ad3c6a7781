import { isApostrophe, type NameKey, nameKey } from '#protocol/atoms.js'
import { isFormOf } from '#src/domain/names/phrase.js'
import type { NameForms } from '#src/domain/names/spelling-table.js'
import { type NameTrie, splitName } from '#src/domain/names/word-table.js'
import { hashFolded } from '#src/domain/polish/sounds.js'

/** A word of prose as names have words: letters and digits, with apostrophes inside. `end` is exclusive. */
export interface ProseWord {
  readonly start: number
  readonly end: number
  /** Of the word in lower case. */
  readonly hash: number
}

/** The word that starts at `start`. */
export const wordFrom = (text: string, start: number): ProseWord => {
  let [end, hash] = [start, hashSeed]
  for (let low = wordCode(text, end); low !== 0; low = wordCode(text, end)) {
    hash = mixHash(hash, low)
    end += 1
  }
  return { start, end, hash }
}

/** A form in prose: its key, in words parted by blanks, and its end. */
export interface ProseForm {
  readonly key: NameKey
  readonly end: number
}

/** Finds inflected forms and computed aliases of the spellings of an index in prose. */
export interface ProseForms {
  /** Whether a word with this hash (`hashFolded`, of the word in lower case) may begin a form. */
  readonly mayStart: (hash: number) => boolean
  /** The longest form that starts with a word; null when none does. */
  readonly formAt: (text: string, word: ProseWord) => ProseForm | null
  /** Drops what is remembered about words. To be called when much prose has been read. */
  readonly forget: () => void
}

/**
 * The forms of the spellings in `live`; the table may have spellings of blocks that are gone. A form in prose has
 * a capital letter somewhere: without one it is an ordinary word (docs/spec/lore-names.md#formats-4-7). Whose
 * the form is, the resolver says.
 */
export const proseFormsOf = (forms: NameForms, live: ReadonlySet<NameKey>): ProseForms => {
  const { words } = forms.table
  const added = groupAddedForms(forms)
  const addedHashes = new Set([...added.keys()].map(hashFolded))
  const reader = makeReader(forms, live, added)
  return {
    mayStart: hash => words.mayHave(hash) || addedHashes.has(hash),
    formAt: (text, first) => phraseFrom(reader, text, first),
    forget: reader.forget,
  }
}

/** The folded code of a letter, mark or digit; 0 for anything else, and for a letter that looks like an apostrophe. */
export const foldCode = (code: number): number => (code < latinMax ? (latin[code] ?? 0) : foldCharacter(code))

export const hashSeed = 0x811c9dc5

/** Adds one folded code to a hash. */
export const mixHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193)

/**
 * The hash of a range of a text, without case. Equal words have equal hashes; equal hashes must be verified.
 */
export const hashOf = (text: string, start: number, end: number): number => {
  let hash = hashSeed
  for (let at = start; at < end; at += 1) hash = mixHash(hash, foldCode(text.charCodeAt(at)))
  return hash
}

export const wordRanges = (text: string): ReadonlyArray<WordRange> => {
  const words: Array<WordRange> = []
  for (let at = 0; at < text.length; at += 1) {
    const end = wordEnd(text, at)
    if (end === at) continue
    words.push({ start: at, end })
    at = end
  }
  return words
}

/** The end of the `count`th word from the one at `start`; -1 when the text has fewer. */
export const endOfWords = (text: string, start: number, count: number): number => {
  let at = start
  let end = -1
  for (let nth = 0; nth < count; nth += 1) {
    while (at < text.length && foldCode(text.charCodeAt(at)) === 0) at += 1
    end = wordEnd(text, at)
    if (end === at) return -1
    at = end
  }
  return end
}

const apostrophe = 0x27
const blank = 0x20
const lineBreak = 0x0a
/** Blanks, hyphens and quotes: what parts the words of one name. */
const gapSigns = new Set(Array.from(' \t\u00a0\n\r-‐‑‒–„”“"«»', sign => sign.charCodeAt(0)))
const gapMax = 4

/** The code of a character inside a word, in lower case; 0 where the word ends. */
const wordCode = (text: string, at: number): number => {
  if (at >= text.length) return 0
  const code = text.charCodeAt(at)
  const low = foldCode(code)
  if (low !== 0 || !isApostrophe(code)) return low
  return at + 1 < text.length && foldCode(text.charCodeAt(at + 1)) !== 0 ? apostrophe : 0
}

/** The text of a word in lower case, with one kind of apostrophe. */
const textOfWord = (text: string, { start, end }: ProseWord): string => {
  const codes: Array<number> = []
  for (let at = start; at < end; at += 1) codes.push(wordCode(text, at))
  return String.fromCharCode(...codes)
}

/** Whether a word is the given text in lower case. */
const isWord = (text: string, { start, end }: ProseWord, word: string): boolean => {
  if (end - start !== word.length) return false
  for (let at = start; at < end; at += 1) if (wordCode(text, at) !== word.charCodeAt(at - start)) return false
  return true
}

/** The start of the next word of a name: after blanks, hyphens and quotes, and one line break at most; else -1. */
const nextWordStart = (text: string, end: number): number => {
  let broken = 0
  for (let at = end; at < text.length && at - end <= gapMax; at += 1) {
    const code = text.charCodeAt(at)
    if (foldCode(code) !== 0) return at > end ? at : -1
    if (code === blank) continue
    if (!gapSigns.has(code)) return -1
    if (code === lineBreak) broken += 1
    if (broken > 1) return -1
  }
  return -1
}

/** Whether a range of a text has a capital letter. */
const hasCapital = (text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    const low = foldCode(code)
    if (low !== 0 && low !== code) return true
  }
  return false
}

/** What is known about a word of prose, whatever text it is in. */
interface Entry {
  readonly id: number
  readonly text: string
  /** The words of names of which it is a form. */
  readonly words: ReadonlyArray<number>
  /** The word as the first one of a phrase. */
  readonly phrase: Phrase
  /** Another word with the same hash. */
  readonly next: Entry | null
}

/** Words of prose that a name may begin with; each phrase is read once. */
interface Phrase {
  readonly text: string
  /** The beginnings of names in the trie. */
  readonly nodes: ReadonlyArray<number>
  /** Null: it is no form. */
  readonly key: NameKey | null
  /** Forms of `odmiany.tsv` that begin with it and go on. */
  readonly added: ReadonlyArray<string>
  /** The phrases with one more word, by its `id`; null: nothing begins so. */
  readonly longer: Map<number, Phrase | null>
}

/** How many words and phrases are remembered before the memory starts again. */
const memoMax = 300_000
/** How many names one word may stand for. */
const placesMax = 50

const none: ReadonlyArray<string> = []

/** The forms that `odmiany.tsv` adds, by their first word. */
type Added = ReadonlyMap<string, ReadonlyArray<string>>

const groupAddedForms = ({ corrections }: NameForms): Added => {
  const starts = new Map<string, Array<string>>()
  for (const form of corrections.added.keys()) {
    const words = splitName(form)
    const [first] = words
    if (first !== undefined) starts.set(first, [...(starts.get(first) ?? none), words.join(' ')])
  }
  return starts
}

/** What the words and phrases of prose may be among the names of a table. */
interface Reader {
  readonly entryOf: (text: string, word: ProseWord) => Entry
  /** The phrase with one more word; null where neither a name nor a form of `odmiany.tsv` begins so. */
  readonly lengthen: (phrase: Phrase, entry: Entry) => Phrase | null
  readonly forget: () => void
}

/** Reads words and phrases. It remembers nothing. */
const phraseMaker = ({ table }: NameForms, live: ReadonlySet<NameKey>, added: Added) => {
  const { words, trie, placesOf } = table
  const standsAlone = (word: number): boolean =>
    placesOf(word, placesMax)?.some(one => live.has(one.spelling)) === true
  const isForm = (text: string, nodes: ReadonlyArray<number>): boolean =>
    nodes.some(trie.isEnd) && isFormOf(table, text.split(' '), spelling => live.has(spelling))
  const phraseOf = (
    text: string,
    nodes: ReadonlyArray<number>,
    forms: ReadonlyArray<string>,
    isName: boolean,
  ): Phrase => ({
    text,
    nodes,
    key: isName || forms.includes(text) || isForm(text, nodes) ? nameKey(text) : null,
    added: forms.filter(one => one.startsWith(`${text} `)),
    longer: new Map(),
  })
  return {
    readWord: (text: string): Pick<Entry, 'words' | 'phrase'> => {
      const hits = [...new Set(words.lookUp(text).map(hit => hit.word))]
      const nodes = hits.map(word => trie.step(trie.root, word)).filter(node => node >= 0)
      return { words: hits, phrase: phraseOf(text, nodes, added.get(text) ?? none, hits.some(standsAlone)) }
    },
    lengthen: (phrase: Phrase, entry: Entry): Phrase | null => {
      const nodes = stepsFrom(trie, phrase.nodes, entry)
      if (nodes.length === 0 && phrase.added.length === 0) return null
      return phraseOf(`${phrase.text} ${entry.text}`, nodes, phrase.added, false)
    },
  }
}

/** The nodes after one more word. */
const stepsFrom = (trie: NameTrie, nodes: ReadonlyArray<number>, { words }: Entry): ReadonlyArray<number> => {
  const steps: Array<number> = []
  for (const node of nodes)
    for (const word of words) {
      const step = trie.step(node, word)
      if (step >= 0 && !steps.includes(step)) steps.push(step)
    }
  return steps
}

/** Remembers words by their hash, so that a word is no new string each time, and phrases by their words. */
const makeReader = (forms: NameForms, live: ReadonlySet<NameKey>, added: Added): Reader => {
  const { readWord, lengthen } = phraseMaker(forms, live, added)
  const known = new Map<number, Entry>()
  let remembered = 0
  const forget = (): void => {
    known.clear()
    remembered = 0
  }
  return {
    entryOf: (text, word) => {
      const first = known.get(word.hash) ?? null
      for (let one = first; one !== null; one = one.next) if (isWord(text, word, one.text)) return one
      if (remembered >= memoMax) forget()
      remembered += 1
      const own = textOfWord(text, word)
      const made: Entry = { id: remembered, text: own, ...readWord(own), next: known.get(word.hash) ?? null }
      known.set(word.hash, made)
      return made
    },
    lengthen: (phrase, entry) => {
      if (entry.words.length === 0 && phrase.added.length === 0) return null
      const found = phrase.longer.get(entry.id)
      if (found !== undefined) return found
      const made = lengthen(phrase, entry)
      phrase.longer.set(entry.id, made)
      remembered += 1
      return made
    },
    forget,
  }
}

/** The longest text that starts with a word and is a form. */
const phraseFrom = ({ entryOf, lengthen }: Reader, text: string, first: ProseWord): ProseForm | null => {
  let phrase: Phrase | null = entryOf(text, first).phrase
  let [found, end]: [ProseForm | null, number] = [null, first.end]
  for (;;) {
    if (phrase.key !== null && hasCapital(text, first.start, end)) found = { key: phrase.key, end }
    if (phrase.nodes.length === 0 && phrase.added.length === 0) return found
    const at = nextWordStart(text, end)
    if (at < 0) return found
    const word = wordFrom(text, at)
    phrase = lengthen(phrase, entryOf(text, word))
    if (phrase === null) return found
    end = word.end
  }
}

/** A word of a text: a run of letters, marks and digits; `end` is exclusive. */
interface WordRange {
  readonly start: number
  readonly end: number
}

const letter = /[\p{L}\p{M}\p{N}]/u
const latinMax = 0x250

const foldCharacter = (code: number): number => {
  const text = String.fromCharCode(code)
  const low = text.toLowerCase()
  return letter.test(text) && !isApostrophe(code) ? (low.length === 1 ? low.charCodeAt(0) : code) : 0
}

const latin = Uint16Array.from({ length: latinMax }, (_, code) => foldCharacter(code))

/** The end of the word that starts at `start`, exclusive. */
const wordEnd = (text: string, start: number): number => {
  let at = start
  while (at < text.length && foldCode(text.charCodeAt(at)) !== 0) at += 1
  return at
}

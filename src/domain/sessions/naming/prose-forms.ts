import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { NameTrie } from '#src/domain/names/forms/name-trie.js'
import { splitName } from '#src/domain/names/forms/name-words.js'
import { isFormOf } from '#src/domain/names/forms/phrase.js'
import type { NameForms } from '#src/domain/names/resolution.js'
import { hashFolded } from '#src/domain/polish/fold.js'
import { hasCapital, isWord, nextWordStart, type ProseWord, textOfWord, wordFrom } from './prose-words.js'

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

/** What is known about a word of prose, whatever text it is in. */
interface Entry {
  readonly text: string
  readonly key: NameKey
  /** The words of names of which it is a form. */
  readonly words: ReadonlyArray<number>
  /** The beginnings of names in the trie. */
  readonly nodes: ReadonlyArray<number>
  /** Whether it may stand for a name, alone. */
  readonly isName: boolean
  /** Forms of `odmiany.tsv` that begin with it. */
  readonly added: ReadonlyArray<string>
}

/** How many words and texts are remembered before the memory starts again. */
const memoMax = 300_000
/** How many names one word may stand for. */
const placesMax = 50

/** A function that remembers its results until `forget`. */
interface Memo<A> {
  readonly of: (text: string) => A
  readonly forget: () => void
}

const memoize = <A>(make: (text: string) => A): Memo<A> => {
  const known = new Map<string, A>()
  return {
    of: text => {
      const found = known.get(text)
      if (found !== undefined) return found
      if (known.size >= memoMax) known.clear()
      const made = make(text)
      known.set(text, made)
      return made
    },
    forget: () => known.clear(),
  }
}

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

/** Remembers entries by the hash of their word, so that a word is no new string each time. */
const entriesBy = (
  make: (text: string) => Entry,
): { readonly of: Reader['entryOf']; readonly forget: () => void } => {
  const known = new Map<number, Array<Entry>>()
  return {
    of: (text, word) => {
      const list = known.get(word.hash)
      if (list !== undefined) for (const one of list) if (isWord(text, word, one.text)) return one
      if (known.size >= memoMax) known.clear()
      const made = make(textOfWord(text, word))
      known.set(word.hash, [...(list ?? []), made])
      return made
    },
    forget: () => known.clear(),
  }
}

/** What a word or a text of prose may be among the names of a table. */
interface Reader {
  readonly entryOf: (text: string, word: ProseWord) => Entry
  /** The key of a text that is a form; null for any other text. */
  readonly read: (text: string) => NameKey | null
  readonly forget: () => void
}

const makeReader = (forms: NameForms, live: ReadonlySet<NameKey>, added: Added): Reader => {
  const { words, trie, placesOf } = forms.table
  const read = memoize(text =>
    isFormOf(forms.table, text.split(' '), spelling => live.has(spelling)) ? nameKey(text) : null,
  )
  const standsAlone = (word: number): boolean =>
    placesOf(word, placesMax)?.some(one => live.has(one.spelling)) === true
  const entries = entriesBy(text => {
    const hits = [...new Set(words.lookUp(text).map(hit => hit.word))]
    const nodes = hits.map(word => trie.step(trie.root, word)).filter(node => node >= 0)
    const list = added.get(text) ?? none
    const isName =
      list.includes(text) || hits.some(standsAlone) || (nodes.some(trie.isEnd) && read.of(text) !== null)
    return { text, key: nameKey(text), words: hits, nodes, isName, added: list }
  })
  const forget = (): void => {
    entries.forget()
    read.forget()
  }
  return { entryOf: entries.of, read: read.of, forget }
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

/** The longest text of several words that starts with a word and is a form. */
const phraseFrom = (
  { entryOf, read }: Reader,
  trie: NameTrie,
  text: string,
  first: ProseWord,
): ProseForm | null => {
  const entry = entryOf(text, first)
  let found: ProseForm | null = null
  let [{ nodes, text: phrase }, end] = [entry, first.end]
  while (nodes.length > 0 || entry.added.some(one => one.startsWith(`${phrase} `))) {
    const at = nextWordStart(text, end)
    if (at < 0) return found
    const word = wordFrom(text, at)
    const next = entryOf(text, word)
    nodes = stepsFrom(trie, nodes, next)
    phrase = `${phrase} ${next.text}`
    end = word.end
    const key = entry.added.includes(phrase) ? nameKey(phrase) : nodes.some(trie.isEnd) ? read(phrase) : null
    if (key !== null && hasCapital(text, first.start, end)) found = { key, end }
  }
  return found
}

/**
 * The forms of the spellings in `live`; the table may have spellings of blocks that are gone. A form in prose has
 * a capital letter somewhere: without one it is an ordinary word (docs/spec/lore-names.md#formats-4-7). Whose
 * the form is, the resolver says.
 */
export const proseFormsOf = (forms: NameForms, live: ReadonlySet<NameKey>): ProseForms => {
  const { words, trie } = forms.table
  const added = groupAddedForms(forms)
  const addedHashes = new Set([...added.keys()].map(hashFolded))
  const reader = makeReader(forms, live, added)
  return {
    mayStart: hash => words.mayHave(hash) || addedHashes.has(hash),
    formAt: (text, first) => {
      const { nodes, added: longer, isName, key } = reader.entryOf(text, first)
      const phrase = nodes.length > 0 || longer.length > 0 ? phraseFrom(reader, trie, text, first) : null
      if (phrase !== null) return phrase
      return isName && hasCapital(text, first.start, first.end) ? { key, end: first.end } : null
    },
    forget: reader.forget,
  }
}

import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { wordsOf } from '#src/domain/names/name-words.js'
import { readPhrase } from '#src/domain/names/phrase.js'
import type { NameForms } from '#src/domain/names/resolution.js'
import { foldedHash } from '#src/domain/polish/fold.js'
import { hasCapital, isWord, nextWordStart, type ProseWord, textOfWord, wordFrom } from './prose-words.js'

/** A form in prose: its key, in words parted by blanks, and its end. */
export interface ProseForm {
  readonly key: NameKey
  readonly end: number
}

/** Finds inflected forms and computed aliases of the spellings of an index in prose. */
export interface ProseForms {
  /** Whether a word with this hash (`foldedHash`, of the word in lower case) may begin a form. */
  readonly mayStart: (hash: number) => boolean
  /** The longest form that starts with a word; null when none does. */
  readonly formAt: (text: string, word: ProseWord) => ProseForm | null
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
const memoMax = 50_000
/** How many names one word may stand for. */
const placesMax = 50

const memoize = <A>(make: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>()
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= memoMax) known.clear()
    const made = make(text)
    known.set(text, made)
    return made
  }
}

const none: ReadonlyArray<string> = []

/** The forms that `odmiany.tsv` adds, by their first word. */
const addedByStart = ({ corrections }: NameForms): ReadonlyMap<string, ReadonlyArray<string>> => {
  const starts = new Map<string, Array<string>>()
  for (const form of corrections.added.keys()) {
    const words = wordsOf(form)
    const [first] = words
    if (first !== undefined) starts.set(first, [...(starts.get(first) ?? none), words.join(' ')])
  }
  return starts
}

/** Remembers entries by the hash of their word, so that a word is no new string each time. */
const entriesBy = (make: (text: string) => Entry): ((text: string, word: ProseWord) => Entry) => {
  const known = new Map<number, Array<Entry>>()
  return (text, word) => {
    const list = known.get(word.hash)
    const found = list?.find(one => isWord(text, word, one.text))
    if (found !== undefined) return found
    if (known.size >= memoMax) known.clear()
    const made = make(textOfWord(text, word))
    known.set(word.hash, [...(list ?? []), made])
    return made
  }
}

/**
 * The forms of the spellings in `live`; the table may have spellings of blocks that are gone. A form in prose has
 * a capital letter somewhere: without one it is an ordinary word (docs/spec/lore-names.md#formats-4-7). Whose
 * the form is, the resolver says.
 */
export const proseFormsOf = (forms: NameForms, live: ReadonlySet<NameKey>): ProseForms => {
  const { table } = forms
  const { words, trie } = table
  const added = addedByStart(forms)
  const addedHashes = new Set([...added.keys()].map(foldedHash))
  /** The key of a text that is a form; null for any other text. */
  const read = memoize(text =>
    readPhrase(table, text.split(' ')).some(one => live.has(one.spelling)) ? nameKey(text) : null,
  )
  const standsAlone = (word: number): boolean =>
    table.placesOf(word, placesMax)?.some(one => live.has(one.spelling)) === true

  const entryOf = entriesBy(text => {
    const hits = [...new Set(words.lookUp(text).map(hit => hit.word))]
    const nodes = hits.map(word => trie.step(trie.root, word)).filter(node => node >= 0)
    const list = added.get(text) ?? none
    const isName =
      list.includes(text) || hits.some(standsAlone) || (nodes.some(trie.isEnd) && read(text) !== null)
    return { text, key: nameKey(text), words: hits, nodes, isName, added: list }
  })

  const stepsFrom = (nodes: ReadonlyArray<number>, { words: numbers }: Entry): ReadonlyArray<number> => {
    const steps: Array<number> = []
    for (const node of nodes)
      for (const number of numbers) {
        const step = trie.step(node, number)
        if (step >= 0 && !steps.includes(step)) steps.push(step)
      }
    return steps
  }

  /** The longest text of several words that starts with `first` and is a form. */
  const phraseFrom = (text: string, first: ProseWord, entry: Entry): ProseForm | null => {
    let found: ProseForm | null = null
    let [{ nodes, text: phrase }, end] = [entry, first.end]
    while (nodes.length > 0 || entry.added.some(one => one.startsWith(`${phrase} `))) {
      const at = nextWordStart(text, end)
      if (at < 0) return found
      const word = wordFrom(text, at)
      const next = entryOf(text, word)
      nodes = stepsFrom(nodes, next)
      phrase = `${phrase} ${next.text}`
      end = word.end
      const key = entry.added.includes(phrase)
        ? nameKey(phrase)
        : nodes.some(trie.isEnd)
          ? read(phrase)
          : null
      if (key !== null && hasCapital(text, first.start, end)) found = { key, end }
    }
    return found
  }

  return {
    mayStart: hash => words.mayHave(hash) || addedHashes.has(hash),
    formAt: (text, first) => {
      const entry = entryOf(text, first)
      const isLonger = entry.nodes.length > 0 || entry.added.length > 0
      const longer = isLonger ? phraseFrom(text, first, entry) : null
      if (longer !== null) return longer
      return entry.isName && hasCapital(text, first.start, first.end)
        ? { key: entry.key, end: first.end }
        : null
    },
  }
}

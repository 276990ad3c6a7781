import type { NameKey } from '#protocol/atoms/name.js'
import { wordsOf } from '#src/domain/names/name-words.js'
import { readPhrase } from '#src/domain/names/phrase.js'
import type { NameForms } from '#src/domain/names/resolution.js'
import { foldedHash } from '#src/domain/polish/fold.js'
import { foldCode } from './words.js'

/** Finds inflected forms and computed aliases of the spellings of an index in prose. */
export interface ProseForms {
  /** Whether a word with this hash (`foldedHash`, of the word in lower case) may begin a form. */
  readonly mayStart: (hash: number) => boolean
  /** The end of the longest form that starts at a word; -1 when none does. */
  readonly endOfForm: (text: string, start: number) => number
}

/** What a word of prose may be at the beginning of a form. */
interface Start {
  readonly nodes: ReadonlyArray<number>
  /** Whether the word may stand for a name of several words. */
  readonly isSingle: boolean
}

interface Token {
  readonly text: string
  readonly end: number
}

/** How many words or texts one memo holds before it starts again. */
const memoMax = 200_000
/** How many characters may part two words of one name, and how many names one word may stand for. */
const gapMax = 4
const placesMax = 50

const apostrophes = new Set("'’‘ʼ´`")
const gapSigns = new Set(' \t\u00a0\n\r-‐‑–„”“"«»')

const isLetter = (text: string, at: number): boolean =>
  at < text.length && foldCode(text.charCodeAt(at)) !== 0

/** The word that starts at `start`, in lower case: letters and digits, with apostrophes inside. */
const tokenAt = (text: string, start: number): Token => {
  let end = start
  let hasApostrophe = false
  while (isLetter(text, end) || (apostrophes.has(text.charAt(end)) && isLetter(text, end + 1))) {
    hasApostrophe ||= !isLetter(text, end)
    end += 1
  }
  const word = text.slice(start, end).toLowerCase()
  return { text: hasApostrophe ? word.replace(/[’‘ʼ´`]/gu, "'") : word, end }
}

/** The start of the next word of a name: after blanks, hyphens and quotes, and one line break at most; or -1. */
const nextStart = (text: string, end: number): number => {
  let breaks = 0
  for (let at = end; at < text.length && at - end <= gapMax; at += 1) {
    if (isLetter(text, at)) return at > end ? at : -1
    const sign = text.charAt(at)
    if (!gapSigns.has(sign)) return -1
    if (sign === '\n') breaks += 1
    if (breaks > 1) return -1
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

/** The forms that `odmiany.tsv` adds, by their first word. */
const addedStarts = ({
  corrections,
}: NameForms): ReadonlyMap<string, ReadonlyArray<ReadonlyArray<string>>> => {
  const starts = new Map<string, Array<ReadonlyArray<string>>>()
  for (const form of corrections.added.keys()) {
    const words = wordsOf(form)
    const [first] = words
    if (first !== undefined) starts.set(first, [...(starts.get(first) ?? []), words])
  }
  return starts
}

/**
 * The forms of the spellings in `live`; the table may have spellings of blocks that are gone. A form in prose has
 * a capital letter somewhere: without one it is an ordinary word (docs/spec/lore-names.md#formats-4-7). Whose
 * the form is, the resolver says.
 */
export const proseFormsOf = (forms: NameForms, live: ReadonlySet<NameKey>): ProseForms => {
  const { table } = forms
  const { words, trie } = table
  const added = addedStarts(forms)
  const addedHashes = new Set([...added.keys()].map(foldedHash))
  const hitsOf = memoize(token => [...new Set(words.lookUp(token).map(hit => hit.word))])
  const startOf = memoize((token): Start => {
    const hits = hitsOf(token)
    return {
      nodes: hits.map(word => trie.step(trie.root, word)).filter(node => node >= 0),
      isSingle: hits.some(
        word => table.placesOf(word, placesMax)?.some(one => live.has(one.spelling)) === true,
      ),
    }
  })
  const isRead = memoize(
    text => corrections.has(text) || readPhrase(table, text.split(' ')).some(one => live.has(one.spelling)),
  )
  const corrections = new Set([...added.values()].flat().map(one => one.join(' ')))

  /** The ends of the first words of the text that a name may have, the fewest words first. */
  const endsFrom = (text: string, first: Token, start: Start): ReadonlyArray<Token> => {
    const found: Array<Token> = []
    const list = added.get(first.text) ?? []
    let [token, nodes, phrase] = [first, start.nodes, first.text]
    const isAdded = (): boolean => list.some(one => one.join(' ') === phrase)
    if (start.isSingle || isAdded() || nodes.some(node => table.endsAt(node).length > 0))
      found.push({ text: phrase, end: token.end })
    while (nodes.length > 0 || list.some(one => one.join(' ').startsWith(`${phrase} `))) {
      const at = nextStart(text, token.end)
      if (at < 0) return found
      token = tokenAt(text, at)
      phrase = `${phrase} ${token.text}`
      const hits = hitsOf(token.text)
      nodes = [...new Set(nodes.flatMap(node => hits.map(word => trie.step(node, word))))].filter(
        node => node >= 0,
      )
      if (isAdded() || nodes.some(node => table.endsAt(node).length > 0))
        found.push({ text: phrase, end: token.end })
    }
    return found
  }

  return {
    mayStart: hash => words.mayHave(hash) || addedHashes.has(hash),
    endOfForm: (text, at) => {
      const first = tokenAt(text, at)
      const start = startOf(first.text)
      if (start.nodes.length === 0 && !start.isSingle && !added.has(first.text)) return -1
      const ends = endsFrom(text, first, start)
      const found = ends.findLast(
        ({ text: phrase, end }) =>
          hasCapital(text, at, end) && ((end === first.end && start.isSingle) || isRead(phrase)),
      )
      return found?.end ?? -1
    },
  }
}

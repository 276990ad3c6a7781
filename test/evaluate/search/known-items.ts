import type { Chance } from '#src/demo/chance.js'
import type { OracleWords } from './oracle-words.js'

/** A text that a question looks for. `id` is what an answer names it by. */
export interface KnownText {
  readonly id: string
  readonly text: string
}

/** Two words that one text alone has, each in a form that the text does not have. */
export interface KnownItem {
  readonly id: string
  readonly words: readonly [string, string]
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/\p{L}+/gu) ?? [])

interface IndexedText extends KnownText {
  readonly words: ReadonlySet<string>
  readonly lemmas: ReadonlySet<string>
}

const indexText = (text: KnownText, oracle: OracleWords): IndexedText => {
  const words = wordsOf(text.text)
  return {
    ...text,
    words,
    lemmas: new Set([...words].flatMap(word => [...(oracle.lemmasOf.get(word) ?? [])])),
  }
}

/** The forms of a lemma that the text does not have, and that are no form of another word. */
const otherForms = (lemma: string, { words }: IndexedText, oracle: OracleWords): ReadonlyArray<string> =>
  [...(oracle.formsOf.get(lemma) ?? [])]
    .filter(form => !words.has(form) && oracle.lemmasOf.get(form)?.size === 1)
    .sort()

const intersects = (one: ReadonlySet<number>, other: ReadonlySet<number>, except: number): boolean => {
  for (const at of one) if (at !== except && other.has(at)) return true
  return false
}

const triesMax = 40

export interface DrawRule {
  readonly count: number
  /** A word that more of the texts have is not drawn; 1: any word. */
  readonly shareMax: number
}

/**
 * Draws questions: a text, then two of its words that no other text has together, each in another form. Every text is as
 * likely as another; one without such a pair within 40 draws is passed over.
 */
export const drawKnownItems = (
  texts: ReadonlyArray<KnownText>,
  oracle: OracleWords,
  { count, shareMax }: DrawRule,
  chance: Chance,
): ReadonlyArray<KnownItem> => {
  const indexed = texts.map(text => indexText(text, oracle))
  const textsWith = new Map<string, Set<number>>()
  for (const [at, { lemmas }] of indexed.entries())
    for (const lemma of lemmas) textsWith.set(lemma, (textsWith.get(lemma) ?? new Set()).add(at))
  const none: ReadonlySet<number> = new Set()
  const drawOne = (text: IndexedText, at: number): KnownItem | null => {
    const textsMax = Math.max(2, texts.length * shareMax)
    const lemmas = [...text.lemmas]
      .filter(lemma => (textsWith.get(lemma)?.size ?? 0) <= textsMax)
      .filter(lemma => otherForms(lemma, text, oracle).length > 0)
      .sort()
    for (let attempt = 0; attempt < triesMax && lemmas.length > 1; attempt += 1) {
      const [one = '', other = ''] = chance.some(lemmas, 2)
      if (intersects(textsWith.get(one) ?? none, textsWith.get(other) ?? none, at)) continue
      return {
        id: text.id,
        words: [chance.pick(otherForms(one, text, oracle)), chance.pick(otherForms(other, text, oracle))],
      }
    }
    return null
  }
  return chance
    .some([...indexed.entries()], indexed.length)
    .flatMap(([at, text]) => drawOne(text, at) ?? [])
    .slice(0, count)
}

/** The texts with each word replaced by its lemma, and how a word of a question is replaced: what perfect forms give. */
export const lemmatise = (
  texts: ReadonlyArray<KnownText>,
  { lemmasOf }: OracleWords,
): { readonly texts: ReadonlyArray<KnownText>; readonly lemmaOf: (word: string) => string } => {
  const lemmaOf = (word: string): string => [...(lemmasOf.get(word) ?? [word])].sort()[0] ?? word
  const lemmaText = (text: string): string =>
    (text.toLowerCase().match(/\p{L}+/gu) ?? []).map(lemmaOf).join(' ')
  return { texts: texts.map(({ id, text }) => ({ id, text: lemmaText(text) })), lemmaOf }
}

/** The mean of 1/place of what was looked for among the first ten, 0 where it is not among them. */
export const meanReciprocalRank = (places: ReadonlyArray<number | null>): number =>
  places.reduce((sum: number, place) => sum + (place === null || place > 10 ? 0 : 1 / place), 0) /
  Math.max(1, places.length)

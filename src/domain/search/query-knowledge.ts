import { type Day, nameKey } from '#protocol/atoms.js'
import type { LanguageData } from '#src/domain/names/language-data.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { inflectWord } from '#src/domain/polish/inflect.js'
import type { QueryKnowledge } from './query-terms.js'
import type { LemmasOfForm } from './texts/document-terms.js'
import { isStopWord, wordsOf } from './words/words.js'

const readingsMax = 3

/** What a snapshot knows about words. */
export interface KnownWords {
  readonly names: NameIndex
  readonly day: Day
  readonly language: { readonly data: LanguageData }
  readonly annotatedLemmas: LanguageData['lemmas']
}

/** Lemmas of an ordinary word, as `lematy.tsv` states them. */
export const lemmasIn =
  (lemmas: LanguageData['lemmas']): LemmasOfForm =>
  form =>
    lemmas.size === 0 ? [] : (lemmas.get(nameKey(form)) ?? [])

/** Every form of every word of a name. A query may stand for any of them, so their agreement does not matter. */
const formsOfName = (name: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...wordsOf(name)].flatMap(({ text }) =>
    isStopWord(text) ? [] : [inflectWord(text).map(({ form }) => form)],
  )

/** What queries are reduced with: names, and the lemmas of language data and of sidecars. */
export const queryKnowledgeOf = ({ names, day, language, annotatedLemmas }: KnownWords): QueryKnowledge => {
  const written = lemmasIn(language.data.lemmas)
  return {
    resolve: text => resolveName(names, text, { upTo: 'lemma', anyGender: true, day, topN: readingsMax }),
    formsOf: ({ form }) => formsOfName(form),
    lemmasOf: form => [...written(form), ...(annotatedLemmas.get(nameKey(form)) ?? [])],
  }
}

import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Day, dayOf, nameKey, type Tier, tiers } from '#protocol/atoms.js'
import { listTierWords } from '#protocol/host/config.js'
import { type Diegesis, diegeses } from '#protocol/lore/search.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { removeTopics } from '#src/domain/lore/topic-text.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { NameIndex, NameReading, Resolution } from '#src/domain/names/spelling-table.js'
import type { LanguageData } from '#src/domain/names/word-table.js'
import { inflectWord } from '#src/domain/polish/inflect.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { queryTermsMax, type RankFilter } from './ranking.js'
import { reduceWord } from './reduce-word.js'
import { keysOfText, type LemmasOfForm } from './texts/documents.js'
import { isStopWord, type Word, wordsOf } from './words.js'

/** The tiers of a query. `isNamed`: the caller named them, so that one without an index is a refusal. */
export interface SearchScope {
  readonly text: string
  readonly tiers: ReadonlyArray<Tier>
  readonly isNamed: boolean
}

/** A query whose parameters are good. */
export interface SearchQuery {
  readonly text: string
  readonly scope: SearchScope
  readonly filter: RankFilter
  readonly limit: number
  readonly offset: number
}

/** Reads the parameters, and refuses the first that is bad. */
export const readSearchQuery = (said: SearchParameters): Either<SearchFault, SearchQuery> => {
  const text = readText(said.q)
  if (isLeft(text)) return text
  const scope = readScope(said.scope)
  if (isLeft(scope)) return scope
  const kind = readKind(said.kind)
  if (isLeft(kind)) return kind
  const diegesis = readDiegesis(said.diegesis)
  if (isLeft(diegesis)) return diegesis
  const days = readDays(said)
  if (isLeft(days)) return days
  return right({
    text: text.right,
    scope: scope.right,
    filter: {
      kinds: kind.right === null ? null : [kind.right],
      diegesis: diegesis.right === null ? null : [diegesis.right],
      days: days.right,
      visibilities: null,
    },
    limit: Math.min(said.limit ?? limitDefault, limitMax),
    offset: Math.min(said.offset ?? 0, offsetMax),
  })
}

/** Lemmas of an ordinary word, as `lematy.tsv` states them. */
export const lemmasIn =
  (lemmas: LanguageData['lemmas']): LemmasOfForm =>
  form =>
    lemmas.size === 0 ? [] : (lemmas.get(nameKey(form)) ?? [])

/** What queries are reduced with: names, and the lemmas of language data and of sidecars. */
export const queryKnowledgeOf = ({ names, day, language, annotatedLemmas }: KnownWords): QueryKnowledge => {
  const written = lemmasIn(language.data.lemmas)
  return {
    resolve: text => resolveName(names, text, { upTo: 'lemma', anyGender: true, day, topN: readingsMax }),
    formsOf: ({ form }) => formsOfName(form),
    lemmasOf: form => [...written(form), ...(annotatedLemmas.get(nameKey(form)) ?? [])],
  }
}

/** A key that is looked for, and the word of the query that it comes from, as written. */
export interface QueryTerm {
  readonly key: string
  readonly word: string
  /** The words of the query that a text with the key has, as bits by their places. */
  readonly covers: number
}

/**
 * What is looked for: the keys of the words, of their lemmas, and of every form of the names among them, so that
 * a name that is new finds texts that were indexed before it. A dictionary does not speak about a name. Words
 * that every text has count only where there are no others.
 */
export const queryTermsInSlices = function* (
  text: string,
  knowledge: QueryKnowledge,
): Sliced<ReadonlyArray<QueryTerm>> {
  const words = [...wordsOf(text)].slice(0, wordsMax)
  const collected: Collected = { terms: new Map(), named: new Set() }
  const written = (word: Word): string => text.slice(word.start, word.end)
  for (const [at, word] of words.entries())
    if (!isStopWord(word.text))
      for (const key of keysOfWord(word.text))
        addTerm(collected, { key, word: written(word), covers: 1 << at })
  yield* addNames(text, words, knowledge, collected)
  for (const [at, word] of words.entries())
    if (!collected.named.has(at) && !isStopWord(word.text))
      for (const lemma of knowledge.lemmasOf(word.text))
        for (const key of keysOfText(lemma)) addTerm(collected, { key, word: written(word), covers: 1 << at })
  return [...collected.terms.values()]
}

/** The tiers that `server.search_index` turns on: none, all, or a list; `lore` brings `session` (B 8). */
export const tiersOfConfig = (value: string | ReadonlyArray<string>): ReadonlyArray<Tier> => {
  const words = listTierWords(value)
  return tiers.filter(
    tier => words.includes('all') || words.includes(tier) || (tier === 'session' && words.includes('lore')),
  )
}

/** Whether another spelling of a block holds restricted topics: an answer by it would confirm a guess. */
export const hasTopicName = ({ rows }: Pick<Entity, 'rows'>): boolean =>
  rows.some(({ tag, value }) => nameTags.has(tag) && removeTopics(value) !== value)

/** The parameters of `GET /search` as texts. */
interface SearchParameters {
  readonly q?: string | undefined
  readonly scope?: string | undefined
  readonly kind?: string | undefined
  readonly diegesis?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly asOf?: string | undefined
  readonly limit?: number | null | undefined
  readonly offset?: number | undefined
}

type SearchFault = RefusalOf<
  | 'SearchQueryMissing'
  | 'SearchKindInvalid'
  | 'SearchDiegesisInvalid'
  | 'DateInvalid'
  | 'SearchBoundConflict'
  | 'ParameterInvalid'
>

const queryCharsMax = 1000
const limitDefault = 20
const limitMax = 100
/** No host has so many hits, so a later page is as empty as this one. */
const offsetMax = 1_000_000

const isOneOf = <A extends string>(all: ReadonlyArray<A>, text: string): text is A =>
  all.some(one => one === text)

const readText = (q: string | undefined): Either<SearchFault, string> => {
  if (q === undefined || q.trim() === '')
    return left(refuse('SearchQueryMissing', 'Give the words to look for: q=<words>.'))
  return q.length > queryCharsMax
    ? left(
        refuse('ParameterInvalid', `The parameter q has more than ${queryCharsMax} characters.`, {
          parameter: 'q',
        }),
      )
    : right(q)
}

const readScope = (text = 'all'): Either<SearchFault, SearchScope> => {
  const words = text
    .split(',')
    .map(word => word.trim().toLowerCase())
    .filter(word => word !== '')
  const unknown = words.find(word => word !== 'all' && !isOneOf(tiers, word))
  if (unknown !== undefined)
    return left(
      refuse('ParameterInvalid', `The parameter scope must be all, or tiers of ${tiers.join(', ')}.`, {
        parameter: 'scope',
      }),
    )
  if (words.length === 0 || words.includes('all')) return right({ text: 'all', tiers, isNamed: false })
  const named = tiers.filter(tier => words.includes(tier))
  return right({ text: named.join(), tiers: named, isNamed: true })
}

const readKind = (kind: string | undefined): Either<SearchFault, Tier | null> =>
  kind === undefined
    ? right(null)
    : isOneOf(tiers, kind)
      ? right(kind)
      : left(refuse('SearchKindInvalid', `The parameter kind must be one of ${tiers.join(', ')}.`))

const readDiegesis = (diegesis: string | undefined): Either<SearchFault, Diegesis | null> =>
  diegesis === undefined
    ? right(null)
    : isOneOf(diegeses, diegesis)
      ? right(diegesis)
      : left(refuse('SearchDiegesisInvalid', `The parameter diegesis must be one of ${diegeses.join(', ')}.`))

const readDay = (parameter: string, text: string | undefined): Either<SearchFault, Day | null> => {
  if (text === undefined) return right(null)
  const day = dayOf(text)
  return day === null
    ? left(refuse('DateInvalid', `The parameter ${parameter} must be a day YYYY-MM-DD.`, { parameter }))
    : right(day)
}

const readDays = ({ from, to, asOf }: SearchParameters): Either<SearchFault, RankFilter['days']> => {
  const first = readDay('from', from)
  if (isLeft(first)) return first
  const last = readDay('to', to)
  if (isLeft(last)) return last
  if (asOf !== undefined && (from !== undefined || to !== undefined))
    return left(refuse('SearchBoundConflict', 'Send asOf, or from and to, but not both.'))
  const established = readDay('asOf', asOf)
  if (isLeft(established)) return established
  const end = established.right ?? last.right
  if (first.right === null && end === null) return right(null)
  return right({
    ...(first.right === null ? {} : { from: first.right }),
    ...(end === null ? {} : { to: end }),
  })
}

const readingsMax = 3

/** What a snapshot knows about words. */
interface KnownWords {
  readonly names: NameIndex
  readonly day: Day
  readonly language: { readonly data: LanguageData }
  readonly annotatedLemmas: LanguageData['lemmas']
}

/** Every form of every word of a name. A query may stand for any of them, so their agreement does not matter. */
const formsOfName = (name: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...wordsOf(name)].flatMap(({ text }) =>
    isStopWord(text) ? [] : [inflectWord(text).map(({ form }) => form)],
  )

interface QueryKnowledge {
  /** Resolves a name of the lore, up to annotated lemmas. */
  readonly resolve: (text: string) => Resolution
  /** Every form of each word of a name, in all its cases. */
  readonly formsOf: (reading: NameReading) => ReadonlyArray<ReadonlyArray<string>>
  /** Lemmas of an ordinary word by its form in lower case. */
  readonly lemmasOf: LemmasOfForm
}

/** As many as a number has bits. */
const wordsMax = 32
const nameWordsMax = 4
const formsMax = 64

/** Endings as they are without diacritics, and as they are with them, for words typed without. */
const typedEndings: ReadonlyArray<readonly [RegExp, string]> = [
  [/sc$/u, 'ść'],
  [/c$/u, 'ć'],
  [/l([aoy]?)$/u, 'ł$1'],
  [/lam$/u, 'łam'],
  [/lem$/u, 'łem'],
  [/n$/u, 'ń'],
  [/s$/u, 'ś'],
  [/z$/u, 'ź'],
]

/** The keys of a word of a query. A word without any diacritic may have been typed without its own. */
const keysOfWord = (word: string): ReadonlyArray<string> => {
  const keys = new Set([reduceWord(word)])
  if (/^[a-z]{4,}$/u.test(word))
    for (const [typed, meant] of typedEndings)
      if (typed.test(word)) keys.add(reduceWord(word.replace(typed, meant)))
  return [...keys]
}

const isPartOf = (form: string, name: string): boolean => {
  const keys = new Set(keysOfText(name))
  return keysOfText(form).every(key => keys.has(key))
}

/** A name that restricted topics are hidden in is looked for as ordinary words, so that no hit confirms a guess. */
const isShown = ({ entity, form }: NameReading): boolean =>
  removeTopics(form) === form && (isPartOf(form, entity.name) || !hasTopicName(entity))

interface Collected {
  readonly terms: Map<string, QueryTerm>
  /** Positions of words that are part of a name. */
  readonly named: Set<number>
}

const addTerm = ({ terms }: Collected, term: QueryTerm): void => {
  const { key, covers } = term
  const known = terms.get(key)
  if (known !== undefined) terms.set(key, { ...known, covers: known.covers | covers })
  else if (key !== '' && terms.size < queryTermsMax) terms.set(key, term)
}

/** Words of a query that follow each other, without those that are not looked for. */
interface QuerySpan {
  readonly written: string
  readonly bits: ReadonlyArray<number>
}

/**
 * The words of a query that the nth word of a name stands for: all where the name is one word, else its own where there
 * are as many of both, else none.
 */
const coverOf = ({ bits }: QuerySpan, nameWords: number, nth: number): number =>
  nameWords === 1 ? bits.reduce((all, bit) => all | bit, 0) : nameWords === bits.length ? (bits[nth] ?? 0) : 0

const addName = (
  collected: Collected,
  span: QuerySpan,
  forms: ReadonlyArray<ReadonlyArray<string>>,
): void => {
  let added = 0
  for (const [nth, ofWord] of forms.entries())
    for (const form of ofWord) {
      if (added === formsMax) return
      added += 1
      for (const key of keysOfText(form))
        addTerm(collected, { key, word: span.written, covers: coverOf(span, forms.length, nth) })
    }
}

/**
 * The places of the words of a name that the query has too, where `forms` has the forms of each: a name may be meant by
 * one of its words alone, and the others then say nothing about the texts that are looked for. All of them where the
 * query has none, as for a stated lemma.
 */
const findWordsAsked = (
  { written }: QuerySpan,
  forms: ReadonlyArray<ReadonlyArray<string>>,
): ReadonlySet<number> => {
  const asked = new Set(keysOfText(written))
  const places = forms.flatMap((ofWord, at) =>
    ofWord.some(form => keysOfText(form).some(key => asked.has(key))) ? [at] : [],
  )
  return new Set(places.length === 0 ? forms.keys() : places)
}

/** The words of a name that are looked for, each as it is. */
const nameWordsOf = (name: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...wordsOf(name)].flatMap(({ text }) => (isStopWord(text) ? [] : [[text]]))

/** The readings of a name that are looked for, and whether it names anything at all. */
interface FoundName {
  readonly isName: boolean
  readonly readings: ReadonlyArray<NameReading>
}

const findName = ({ resolve }: QueryKnowledge, written: string): FoundName => {
  const { candidates, readings } = resolve(written)
  const shown: Array<NameReading> = []
  for (const reading of readings) {
    if (shown.length === readingsMax) break
    if (isShown(reading)) shown.push(reading)
  }
  return { isName: candidates.length > 0, readings: shown }
}

/** Yields after each run of words that is resolved; equal runs are resolved once. */
const addNames = function* (
  text: string,
  words: ReadonlyArray<Word>,
  knowledge: QueryKnowledge,
  collected: Collected,
): Sliced<void> {
  const known = new Map<string, FoundName>()
  for (let from = 0; from < words.length; from += 1)
    for (let count = 1; count <= nameWordsMax && from + count <= words.length; count += 1) {
      const [first, last] = [words[from], words[from + count - 1]]
      if (first === undefined || last === undefined || (count === 1 && isStopWord(first.text))) continue
      const span: QuerySpan = {
        written: text.slice(first.start, last.end),
        bits: words
          .slice(from, from + count)
          .flatMap((word, at) => (isStopWord(word.text) ? [] : [1 << (from + at)])),
      }
      const found = known.get(span.written) ?? findName(knowledge, span.written)
      if (!known.has(span.written)) {
        known.set(span.written, found)
        yield
      }
      if (!found.isName) continue
      for (let at = from; at < from + count; at += 1) collected.named.add(at)
      for (const reading of found.readings) {
        const forms = knowledge.formsOf(reading)
        const asked = findWordsAsked(span, forms)
        for (const words of [nameWordsOf(reading.form), forms])
          addName(
            collected,
            span,
            words.filter((_, nth) => asked.has(nth)),
          )
        // A text that was written before the alias has the heading.
        if (!isPartOf(reading.form, reading.entity.name))
          addName(collected, span, nameWordsOf(reading.entity.name))
      }
    }
}

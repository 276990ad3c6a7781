import { dropLongMarks, type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import { inflectWord } from '#src/domain/polish/inflect.js'
import { nominatives, sure } from '#src/domain/polish/word-form.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { aliasOwners, genericOwners, headingOwners } from './readings.js'
import {
  inNominative,
  type NameIndex,
  type NameReach,
  type Resolution,
  type ResolveOptions,
  type StageHit,
} from './spelling-table.js'
import {
  findBehindTitle,
  findComputedAlias,
  findForm,
  findLemma,
  findNearest,
  findNearestInSlices,
  makeQuery,
  type NameAsked,
} from './stages.js'

/** The result for a text that names no block. */
export const miss: Resolution = {
  entity: null,
  stage: 'miss',
  confidence: 0,
  ambiguous: false,
  candidates: [],
  readings: [],
}

/**
 * Resolves a name. The first stage with an owner decides. Filters come before homonyms are judged, so one survivor is
 * the result and several are `ambiguous` (FORMATS 5.2). A blank query is a miss.
 */
export const resolveName = (names: NameIndex, text: string, options: ResolveOptions): Resolution => {
  const query = makeQuery(names, text, options)
  if (query.key === '') return miss
  const found = findIn(stagesUpTo.get(options.upTo) ?? [], names, query)
  return found === null ? miss : resolutionOf(found, options)
}

/** The fuzzy stage alone, for a name that no other stage finds: `resolveName` in several turns. */
export const resolveNearInSlices = function* (
  names: NameIndex,
  text: string,
  options: ResolveOptions,
): Sliced<Resolution> {
  const query = makeQuery(names, text, options)
  const found = query.key === '' ? null : yield* findNearestInSlices(names, query)
  return found === null ? miss : resolutionOf(found, options)
}

/** The words of a key without Polish marks, as `PossibleForms` has them. */
export const bareWordsOfKey = (key: string): ReadonlyArray<string> => wordsOfKey(key).map(bare)

/** The texts that may be forms of one name. */
export interface PossibleForms {
  /** Every form of every word of the name, without Polish marks: what such a text begins with. */
  readonly starts: ReadonlySet<string>
  /**
   * Whether a key may be a form of the name, or of a name that is computed from it: each of its words is a form
   * of a word of the name. Parts of the name, and words of different cases, count too: this is more than the
   * resolver takes.
   */
  readonly has: (key: NameKey) => boolean
  /** `has` of a key with these words without Polish marks. */
  readonly hasWords: (words: ReadonlyArray<string>) => boolean
}

/** The texts that may be forms of a name, whether or not a block has it; `added` are forms beside those. */
export const possibleForms = (name: string, added: ReadonlyArray<string> = []): PossibleForms => {
  const key = nameKey(name)
  const words = [...wordsOfKey(key), ...inNominative(key).flat()]
  const forms = new Set(
    [
      ...words.flatMap(word => [word, ...inflectWord(word).map(one => one.form)]),
      ...added.flatMap(form => wordsOfKey(nameKey(form))),
    ].map(bare),
  )
  const hasWords = (asked: ReadonlyArray<string>): boolean => {
    for (const word of asked) if (!forms.has(word)) return false
    return asked.length > 0
  }
  return { starts: forms, has: key => hasWords(bareWordsOfKey(key)), hasWords }
}

/** The first word of a key as `PossibleForms.starts` has it; null where the key has no word. */
export const startOfKey = (key: NameKey): string | null => {
  const [first] = wordsOfKey(key)
  return first === undefined ? null : bare(first)
}

/**
 * The usual forms of a name, one text for each case that every word has: what a block with that name is likely
 * to be called in prose.
 */
export const usualForms = (name: string): ReadonlyArray<string> => {
  const words = wordsOfKey(nameKey(name)).map(word => ({
    word,
    forms: inflectWord(word).filter(one => one.rank === sure && !one.isOtherGender),
  }))
  const inCase = (bit: number): string =>
    words.map(({ word, forms }) => forms.find(one => (one.cases & bit) !== 0)?.form ?? word).join(' ')
  return words.length === 0 ? [] : [...new Set(caseBits.map(inCase))]
}

/** A resolution up to inflected forms. `isForm`: no block has the text as a written name. */
export interface FormResolution {
  readonly found: Resolution
  readonly isForm: boolean
}

/**
 * Resolves a name as effects, participants and prose do (docs/spec/names.md#reach): written names first, then
 * computed aliases and generated forms. `types` are tried in turn at each of both steps; null is any type.
 */
export const resolveUpToForms = (
  names: NameIndex,
  text: string,
  types: ReadonlyArray<ReadonlyArray<EntityType> | null> = [null],
): FormResolution => {
  let found: Resolution | null = null
  for (const upTo of ['alias', 'alternation'] as const)
    for (const wanted of types) {
      found = resolveName(names, text, { upTo, ...(wanted === null ? {} : { types: wanted }) })
      if (found.stage !== 'miss') return { found, isForm: upTo !== 'alias' }
    }
  return { found: found ?? resolveName(names, text, { upTo: 'alternation' }), isForm: false }
}

/**
 * The key of a name, and those of the headings that it means by any stage but misspellings: what the filter of a
 * list compares with names as written (docs/spec/names.md#reach).
 */
export const keysMeant = (names: NameIndex, text: string): ReadonlySet<NameKey> =>
  new Set([nameKey(text), ...resolveName(names, text, { upTo: 'lemma' }).candidates.map(one => one.key)])

/** One stage of the pipeline. `find` returns null to pass the query on. */
interface StageRule {
  readonly reach: NameReach
  readonly find: (names: NameIndex, query: NameAsked) => StageHit | null
}

const asWritten = (
  stage: 'exact' | 'alias',
  confidence: number,
  ownersOf: typeof headingOwners,
): StageRule => ({
  reach: 'alias',
  find: (names, { key, text, options }) => {
    const candidates = ownersOf(names, key, options)
    if (candidates.length === 0) return null
    const readingOf = () => ({ form: text.trim(), cases: [], rule: stage })
    return { stage, confidence, candidates, readingOf, cases: nominatives }
  },
})

const upToAlternation: ReadonlyArray<StageRule> = [
  asWritten('exact', 1, headingOwners),
  asWritten('alias', 0.95, aliasOwners),
  asWritten('alias', 0.95, genericOwners),
  { reach: 'alternation', find: findComputedAlias },
  { reach: 'alternation', find: findForm },
]

const findRest =
  (names: NameIndex, { options }: NameAsked) =>
  (text: string) =>
    findIn(upToAlternation, names, makeQuery(names, text, options))

/** The stages in order (B 4.3). */
const stages: ReadonlyArray<StageRule> = [
  ...upToAlternation,
  { reach: 'lemma', find: (names, query) => findBehindTitle(names, query, findRest(names, query)) },
  { reach: 'lemma', find: findLemma },
  { reach: 'fuzzy', find: findNearest },
]

const findIn = (rules: ReadonlyArray<StageRule>, names: NameIndex, query: NameAsked): StageHit | null => {
  for (const { find } of rules) {
    const found = find(names, query)
    if (query.options.turn?.isOver() === true) return null
    if (found !== null) return found
  }
  return null
}

const reaches: ReadonlyArray<NameReach> = ['alias', 'alternation', 'lemma', 'fuzzy']

const stagesUpTo: ReadonlyMap<NameReach, ReadonlyArray<StageRule>> = new Map(
  reaches.map((last, at) => [last, stages.filter(({ reach }) => reaches.indexOf(reach) <= at)]),
)

/** The readings of an answer where the caller names no number. */
const readingsMax = 20

const resolutionOf = (
  { stage, confidence, candidates, readingOf }: StageHit,
  { topN = readingsMax }: ResolveOptions,
): Resolution => {
  const [first, second] = candidates
  const ambiguous = second !== undefined
  return {
    entity: ambiguous ? null : (first ?? null),
    stage,
    confidence,
    ambiguous,
    candidates,
    readings: candidates.slice(0, topN).map(entity => ({ entity, ...readingOf(entity) })),
  }
}

/** The letters of a key without Polish marks and apostrophes. */
const bare = (text: string): string =>
  dropLongMarks(text)
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/[\p{M}']/gu, '')

/** The words of a key: runs of letters and digits, with an apostrophe inside. */
const wordsOfKey = (key: string): ReadonlyArray<string> =>
  key.match(/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}']*[\p{L}\p{M}\p{N}])?/gu) ?? []

const caseBits: ReadonlyArray<number> = Array.from({ length: 14 }, (_, at) => 1 << at)

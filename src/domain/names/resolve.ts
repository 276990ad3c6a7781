import { nominatives } from '#src/domain/polish/word-form.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { aliasOwners, genericOwners, headingOwners } from './readings.js'
import type { NameIndex, NameReach, Resolution, ResolveOptions, StageHit } from './resolution.js'
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

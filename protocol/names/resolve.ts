import * as t from 'io-ts'
import { EntityType } from '#protocol/atoms/vocabulary.js'
import { previewOf } from '#protocol/dry-run.js'
import { DayOrInstantText } from '#protocol/query.js'
import { candidatesMax, distanceMax, queriesMax } from './limits.js'

const TextOrNull = t.union([t.string, t.null])
const TypeOrNull = t.union([EntityType, t.null])

/** A name that is not blank. */
export const AskedName = t.refinement(t.string, text => text.trim() !== '', 'AskedName')

const isWholeIn = (min: number, max: number) => (value: number) =>
  Number.isInteger(value) && value >= min && value <= max

export const CandidateCount = t.refinement(t.number, isWholeIn(1, candidatesMax), 'CandidateCount')

export const SpellingDistance = t.refinement(t.number, isWholeIn(0, distanceMax), 'SpellingDistance')

/** How a name is resolved; `type` is another spelling of `typ`. */
const options = {
  typ: EntityType,
  type: EntityType,
  within: t.string,
  activeOn: DayOrInstantText,
  noFuzzy: t.boolean,
  topN: CandidateCount,
  maxDistance: SpellingDistance,
} as const

export const NameOptions = t.partial(options, 'NameOptions')
export type NameOptions = t.TypeOf<typeof NameOptions>

export const NameQuery = t.intersection([t.type({ name: AskedName }), t.partial(options)], 'NameQuery')
export type NameQuery = t.TypeOf<typeof NameQuery>

/** One of many queries: a name alone, or a whole query. A blank name alone is a miss. */
export const BatchQuery = t.union([t.string, NameQuery], 'BatchQuery')
export type BatchQuery = t.TypeOf<typeof BatchQuery>

/** Options beside `queries` hold for each query that does not state them itself. */
export const NameBatch = t.intersection(
  [t.type({ queries: t.readonlyArray(BatchQuery) }), t.partial(options)],
  'NameBatch',
)
export type NameBatch = t.TypeOf<typeof NameBatch>

export const longQueries = { field: 'queries', item: BatchQuery, itemsMax: queriesMax } as const

/** The last stage that found a block. A list of search adds `substring`. */
export const FoundStage = t.keyof(
  { exact: null, alias: null, declension: null, alternation: null, title: null, lemma: null, fuzzy: null },
  'FoundStage',
)

/** A block that a text may mean, and how the text is a form of one of its names. */
export const NameCandidate = t.type(
  {
    name: t.string,
    typ: EntityType,
    plik: TextOrNull,
    form: t.string,
    cases: t.readonlyArray(t.string),
  },
  'NameCandidate',
)
export type NameCandidate = t.TypeOf<typeof NameCandidate>

/** How the resolver rewrote the text to reach the name of a block. */
export const NameRewrite = t.type(
  { from: t.string, to: t.string, stage: FoundStage, rule: t.string, name: t.string, typ: EntityType },
  'NameRewrite',
)
export type NameRewrite = t.TypeOf<typeof NameRewrite>

/**
 * The block that a text means (B 4.3). Where several blocks have the name, `ambiguous` is true, `name`, `typ`
 * and `plik` are null, and `candidates` lists them. `rewrites` only with `?explain=true`.
 */
export const ResolvedName = t.intersection(
  [
    t.type({
      name: TextOrNull,
      typ: TypeOrNull,
      plik: TextOrNull,
      stage: FoundStage,
      confidence: t.number,
      ambiguous: t.boolean,
      candidates: t.readonlyArray(NameCandidate),
    }),
    t.partial({ rewrites: t.readonlyArray(NameRewrite) }),
  ],
  'ResolvedName',
)
export type ResolvedName = t.TypeOf<typeof ResolvedName>

/** The answer to `/resolve`: null for a name that means nothing. */
export const ResolveAnswer = t.union([ResolvedName, t.null], 'ResolveAnswer')
export type ResolveAnswer = t.TypeOf<typeof ResolveAnswer>

/** The answer to one query of a batch: `resolved` is null on a miss and where several blocks have the name. */
export const BatchResult = t.intersection(
  [
    t.type({
      token: t.string,
      resolved: TextOrNull,
      typ: TypeOrNull,
      stage: t.keyof({ ...FoundStage.keys, miss: null }),
    }),
    t.partial({ ambiguous: t.literal(true) }),
  ],
  'BatchResult',
)
export type BatchResult = t.TypeOf<typeof BatchResult>

export const NameBatchAnswer = t.type(
  { count: t.number, items: t.readonlyArray(BatchResult) },
  'NameBatchAnswer',
)
export type NameBatchAnswer = t.TypeOf<typeof NameBatchAnswer>

/** A block that has a token among its spellings: 1 as a whole name, 2 as one word of a longer name. */
export const TokenOwner = t.type(
  { name: t.string, type: EntityType, priority: t.union([t.literal(1), t.literal(2)]) },
  'TokenOwner',
)
export type TokenOwner = t.TypeOf<typeof TokenOwner>

/** The owners of an indexed token; `more` is present where some are not listed. */
export const TokenOwners = t.intersection(
  [
    t.type({
      source: t.keyof({ heading: null, alias: null, generic: null, word: null }),
      ambiguous: t.boolean,
      owners: t.readonlyArray(TokenOwner),
    }),
    t.partial({ more: t.number }),
  ],
  'TokenOwners',
)
export type TokenOwners = t.TypeOf<typeof TokenOwners>

export const NameIndexRebuilt = t.type(
  {
    rebuiltAt: t.string,
    buildMs: t.number,
    indexStats: t.type({ tokens: t.number, stems: t.number }),
  },
  'NameIndexRebuilt',
)
export type NameIndexRebuilt = t.TypeOf<typeof NameIndexRebuilt>

/** A spelling to be written as `@alias` of a block, from the month of today on. */
export const AliasAcceptance = t.intersection(
  [t.type({ surface: AskedName, name: t.string }), t.partial({ type: EntityType })],
  'AliasAcceptance',
)
export type AliasAcceptance = t.TypeOf<typeof AliasAcceptance>

const accepted = { name: t.string, type: EntityType, changed: t.boolean } as const

export const AliasAccepted = t.type({ accepted: t.string, ...accepted }, 'AliasAccepted')
export const AliasPreview = previewOf({ wouldAccept: t.string, ...accepted }, 'AliasPreview')
export const AliasAnswer = t.union([AliasAccepted, AliasPreview], 'AliasAnswer')
export type AliasAnswer = t.TypeOf<typeof AliasAnswer>

import * as t from 'io-ts'
import { candidatesMax, candidatesShown, distanceMax, EntityType, queriesMax } from '../atoms.js'
import type { BodyBounds } from '../bounds.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { listOf } from '../list.js'
import {
  DayOrInstantText,
  EntityTypeText,
  Flag,
  OffsetText,
  PageLimitText,
  SequenceText,
  Text,
  windowQuery,
} from '../query.js'
import { ofHost, type Route, read, route, type Table, write } from '../route.js'
import { EntityAnswer } from './entities.js'

/**
 * A page of a search of entities (B 2.1). `truncated` is true when the page has not all. Of the items
 * `MatchedToken` is the spelling that matched and `MatchStage` how.
 */
const EntitySearch = t.type(
  {
    query: t.string,
    count: t.number,
    total: t.number,
    offset: t.number,
    limit: t.number,
    truncated: t.boolean,
    items: t.readonlyArray(EntityAnswer),
  },
  'EntitySearch',
)
type EntitySearch = t.TypeOf<typeof EntitySearch>

const TextOrNull = t.union([t.string, t.null])
const TypeOrNull = t.union([EntityType, t.null])

/** A name that is not blank. */
const AskedName = t.refinement(t.string, text => text.trim() !== '', 'AskedName')

const isWholeIn = (min: number, max: number) => (value: number) =>
  Number.isInteger(value) && value >= min && value <= max

const CandidateCount = t.refinement(t.number, isWholeIn(1, candidatesMax), 'CandidateCount')

const SpellingDistance = t.refinement(t.number, isWholeIn(0, distanceMax), 'SpellingDistance')

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

const longQueries = { field: 'queries', item: BatchQuery, itemsMax: queriesMax } as const

/** The last stage that found a block. A list of search adds `substring`. */
const FoundStage = t.keyof(
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
const AliasAcceptance = t.intersection(
  [t.type({ surface: AskedName, name: t.string }), t.partial({ type: EntityType })],
  'AliasAcceptance',
)
type AliasAcceptance = t.TypeOf<typeof AliasAcceptance>

const accepted = { name: t.string, type: EntityType, changed: t.boolean } as const

const AliasAccepted = t.type({ accepted: t.string, ...accepted }, 'AliasAccepted')
const AliasPreview = previewOf({ wouldAccept: t.string, ...accepted }, 'AliasPreview')
export const AliasAnswer = t.union([AliasAccepted, AliasPreview], 'AliasAnswer')
export type AliasAnswer = t.TypeOf<typeof AliasAnswer>
const texts = t.readonlyArray(t.string)

/** A place in the lore where a text stands. `session` or `entity` names what it stands in. */
export const NameWitness = t.type(
  {
    kind: t.keyof({ row: null, block: null, prose: null }),
    file: t.string,
    line: t.number,
    session: TextOrNull,
    entity: TextOrNull,
  },
  'NameWitness',
)
export type NameWitness = t.TypeOf<typeof NameWitness>

/** A text that only the fuzzy stage places: a misspelling, or a name that lacks an alias. */
export const SurfaceSuggestion = t.type(
  {
    surface: t.string,
    occurrences: t.number,
    name: t.string,
    type: EntityType,
    confidence: t.number,
    witnesses: t.readonlyArray(NameWitness),
  },
  'SurfaceSuggestion',
)
export type SurfaceSuggestion = t.TypeOf<typeof SurfaceSuggestion>

/** A name in the report that a shorter or misspelt one probably stands for (FORMATS 8). */
export const LikelyLocation = t.type(
  {
    Name: t.string,
    Reason: t.keyof({ QualifiedPath: null, EditDistance1: null, EditDistance2: null }),
    Confidence: t.keyof({ High: null, Medium: null, Low: null }),
  },
  'LikelyLocation',
)
export type LikelyLocation = t.TypeOf<typeof LikelyLocation>

/** The block that a location text means. `Name` and `Type` are null where several have the name. */
export const LocationMatch = t.type(
  {
    Name: TextOrNull,
    Type: t.union([EntityType, t.null]),
    Match: t.keyof({ Exact: null, Fuzzy: null }),
    Stage: FoundStage,
    Ambiguous: t.boolean,
  },
  'LocationMatch',
)
export type LocationMatch = t.TypeOf<typeof LocationMatch>

export const LocationConflict = t.type(
  {
    Kind: t.keyof({
      CaseVariant: null,
      TrailingArtifact: null,
      AmbiguousStandalone: null,
      InconsistentHierarchy: null,
      NearDuplicate: null,
    }),
    With: texts,
  },
  'LocationConflict',
)
export type LocationConflict = t.TypeOf<typeof LocationConflict>

/** A text that sessions name as a location (FORMATS 8). */
export const NamedLocation = t.type(
  {
    Name: t.string,
    NormalizedName: t.string,
    Variants: texts,
    OccurrenceCount: t.number,
    InferredParents: texts,
    InferredChildren: texts,
    LikelyResolvesTo: t.readonlyArray(LikelyLocation),
    EntityMatch: t.union([LocationMatch, t.null]),
    Conflicts: t.readonlyArray(LocationConflict),
    Witnesses: t.readonlyArray(NameWitness),
  },
  'NamedLocation',
)
export type NamedLocation = t.TypeOf<typeof NamedLocation>

/** `leftOut` counts the rarest locations, which are not described; 0 except in a very large lore. */
const NamedLocations = t.type(
  { count: t.number, total: t.number, leftOut: t.number, items: t.readonlyArray(NamedLocation) },
  'NamedLocations',
)

/** `leftOut` counts the rarest surfaces, which were not looked up; 0 except in a very large lore. */
export const NameSuggestions = t.intersection(
  [listOf(SurfaceSuggestion, 'SurfaceSuggestions'), t.type({ leftOut: t.number, locations: NamedLocations })],
  'NameSuggestions',
)
export type NameSuggestions = t.TypeOf<typeof NameSuggestions>

/** Columns of a question whose parameters are too long for a query: a POST that writes nothing. */
const question = {
  ...ofHost,
  method: 'POST',
  capability: 'entity.read',
  source: 'B 4.3',
} as const satisfies Partial<Route>

/** Names and the blocks that they mean (B 4.1, B 4.3). */
export const namesRoutes = {
  'resolve.get': route({
    ...question,
    path: '/resolve',
    summary: 'The block that a name means, in any grammatical form; null where it means none.',
    query: { explain: Flag },
    body: NameQuery,
    narrow: ['name', 'type', 'within'],
    answers: { 200: ResolveAnswer },
    refusals: ['BodyInvalid'],
    example: {
      query: { explain: 'true' },
      body: { name: 'Kupca Bogdana', typ: 'NPC', noFuzzy: false, topN: 5, maxDistance: 2 },
    },
  }),
  'resolve.batch.list': route({
    ...question,
    path: '/resolve/batch',
    summary: 'The blocks that at most 10,000 names mean, in the order asked.',
    query: {},
    body: NameBatch,
    longList: longQueries,
    answers: { 200: NameBatchAnswer },
    refusals: ['BodyInvalid'],
    example: {
      body: { queries: ['Kupcem Bogdanem', { name: 'Zamorza', typ: 'Lokacja' }, 'Nikt'], noFuzzy: true },
    },
  }),
  'nameIndex.lookup.get': read({
    path: '/name-index/lookup/{token}',
    summary: 'Who has a text as heading, alias, common noun or one word of them; no other form counts.',
    capability: 'entity.read',
    query: {},
    answers: { 200: TokenOwners },
    refusals: ['SpellingNotFound'],
    source: 'B 4.3, FORMATS 5.1, FORMATS 5.2',
    example: { path: { token: 'Bogdan' } },
  }),
  'nameIndex.rebuild': route({
    ...ofHost,
    method: 'POST',
    path: '/name-index/rebuild',
    summary: 'Builds the index of names from scratch and tells its size; commits nothing.',
    capability: 'admin.index',
    // No write flag (A 4.1.3), because the index is derived.
    poolReason: 'memoizes',
    query: {},
    body: t.type({}, 'Nothing'),
    answers: { 200: NameIndexRebuilt },
    refusals: [],
    source: 'A 4.1.3, B 4.3',
    example: { body: {} },
  }),
  'entities.search.list': read({
    path: '/entities/search',
    summary:
      'Entities that a text means, then those with the text in a name; 50 a page, at most 200. `q` wins over `name`.',
    capability: 'entity.read',
    query: { q: Text, name: Text, type: EntityTypeText, limit: PageLimitText, offset: OffsetText },
    answers: { 200: EntitySearch },
    refusals: ['ParameterInvalid'],
    source: 'B 4.1',
    example: {
      query: { q: 'Bogdan', name: 'Bogdan', type: 'NPC', limit: '5', offset: '0' },
      needs: ['q'],
    },
  }),
  'normalization.suggestions.list': read({
    path: '/normalization/suggestions',
    summary:
      'Texts in the lore that only a misspelling explains, and the locations that sessions name, most frequent first.',
    capability: 'entity.read',
    query: { type: EntityTypeText, minOccurrences: SequenceText, ...windowQuery },
    answers: { 200: NameSuggestions },
    refusals: [],
    source: 'B 4.1, FORMATS 8',
    example: { query: { type: 'NPC', minOccurrences: '1', limit: '5', offset: '0' } },
  }),
} as const satisfies Table

const acceptance: BodyBounds = { texts: { surface: 'name', name: 'lookup' }, counts: 'values' }

/** Writes of names (B 4.1). */
export const namesWriteRoutes = {
  'normalization.aliases.accept': write({
    method: 'POST',
    path: '/normalization/aliases/accept',
    summary: 'Gives a block another spelling, a dated `@alias`, unless another block has a form of it.',
    capability: 'entity.write',
    own: false,
    query: {},
    body: AliasAcceptance,
    bounds: acceptance,
    answers: { 200: AliasAnswer },
    refusals: [
      'BodyInvalid',
      'EntityNotFound',
      'AmbiguousName',
      'RosterStoreProperty',
      'ValueRefused',
      'NameTaken',
    ],
    source: 'B 4.1, D32, docs/spec/name-routes.md#accept',
    example: { body: { surface: 'Bogdan Solny', name: 'Kupiec Bogdan', type: 'NPC' } },
  }),
} as const satisfies Table

const optionsText = {
  typ: 'Only blocks of this type.',
  type: 'Another spelling of `typ`; send one of the two.',
  within: 'Only what lies in this place: a heading, an alias or a path `A/B` of a Lokacja.',
  activeOn:
    'Day on which aliases, types and places count; without it aliases of any day and the rest as of today.',
  noFuzzy: 'True to leave out misspellings; default false.',
  topN: `Most candidates of the answer, 1 to ${candidatesMax}; default ${candidatesShown}.`,
  maxDistance: `Most letters that a misspelling may differ by, 0 to ${distanceMax}; default ${distanceMax}.`,
} as const

const block = {
  name: 'Heading of the block.',
  typ: 'Type of the block.',
  plik: 'Document of the block, from `@plik`; null without one.',
} as const

const stage =
  'Stage that found it: exact, alias, declension, alternation, title, lemma or fuzzy, as `docs/spec/names.md` explains.'

const acceptedText = {
  name: 'Heading of the block that has the spelling now.',
  type: 'Type of that block.',
} as const

export const nameDescriptions: Descriptions = {
  NameQuery: { name: 'The name, in any case and grammatical form.', ...optionsText },
  NameBatch: { queries: 'Names, or whole queries as of `POST /resolve`; at most 10,000.', ...optionsText },
  ResolvedName: {
    name: 'Heading of the block; null where several blocks have the name.',
    typ: 'Type of the block; null where several blocks have the name.',
    plik: block.plik,
    stage,
    confidence: 'How sure the stage is, 0 to 1; 1 for a heading.',
    ambiguous: 'True when several blocks have the name.',
    candidates: 'The blocks that the name may mean, best first, each with the form it was found by.',
    rewrites: 'How the name was rewritten to reach each candidate; only with `explain=true`.',
  },
  NameCandidate: {
    ...block,
    form: 'Heading or other spelling of the block that the name is a form of.',
    cases: 'Number and case of the form, as `sg.gen`; empty where they are not known.',
  },
  NameRewrite: {
    from: 'The name as it was asked.',
    to: 'Heading or other spelling that it was traced back to.',
    stage,
    rule: 'What was undone, such as an ending, a title or a number of letters.',
    name: 'Heading of the block.',
    typ: 'Type of the block.',
  },
  BatchResult: {
    token: 'The name as it was asked.',
    resolved: 'Heading of the block; null on a miss and where several blocks have the name.',
    typ: 'Type of the block; null without one.',
    stage: 'Stage that found it, or `miss`.',
    ambiguous: 'True when several blocks have the name; else absent.',
  },
  TokenOwners: {
    source: 'What the text is: a heading, an alias, a common noun, or one word of a longer name.',
    ambiguous: 'True when several blocks have it.',
    owners: 'The blocks that have it, at most 200.',
    more: 'Number of blocks that are not listed; absent when all are.',
  },
  TokenOwner: {
    name: 'Heading of the block.',
    type: 'Type of the block.',
    priority: '1 when the text is a whole name, 2 when it is one word of a longer name.',
  },
  NameIndexRebuilt: {
    rebuiltAt: 'Moment of the build, UTC.',
    buildMs: 'Duration of the build, in milliseconds.',
    indexStats: 'Size of the index.',
  },
  'NameIndexRebuilt.indexStats': {
    tokens: 'Number of different spellings, single words of names included.',
    stems: 'Number of different generated forms.',
  },
  AliasAcceptance: {
    surface: 'The spelling, as it becomes the value of `@alias`.',
    name: 'Heading or alias of the block that gets it.',
    type: 'Type of that block, where several have the name.',
  },
  AliasAccepted: { accepted: 'The spelling as it is written.', ...acceptedText },
  AliasPreview: { wouldAccept: 'The spelling as it would be written.', ...acceptedText },
  EntitySearch: {
    query: 'The text that was searched.',
    total: 'Number of all matching entities.',
    limit: 'Size of the page.',
    offset: 'Number of matches before the page.',
    truncated: 'True when the page does not have all matches.',
  },
  SurfaceSuggestion: {
    surface: 'The text as it is written most often.',
    occurrences: 'Number of places that have it, in any case.',
    name: 'Heading of the block that it probably means.',
    type: 'Type of that block.',
    confidence: 'How near the text is to a name of the block, 0 to 1.',
    witnesses: 'The first places that have it, at most 5.',
  },
  NameWitness: {
    kind: '`row` of a block, `block` of a session, or `prose` of a session.',
    file: 'Path of the file.',
    line: 'Line in the file, counted from 1: of the row, or of the heading of the session.',
    session: 'Heading of the session; null when a row has the text.',
    entity: 'Heading of the block with the row; null when a session has the text.',
  },
  NameSuggestions: {
    leftOut: 'Number of the rarest texts that were not looked up; 0 except in a very large lore.',
    locations: 'Texts that sessions name as locations, most frequent first; empty without `session.read`.',
  },
  NamedLocations: {
    total: 'Number of locations before the window was cut.',
    leftOut: 'Number of the rarest locations that are not described; 0 except in a very large lore.',
  },
  NamedLocation: {
    Name: 'Most frequent spelling.',
    NormalizedName: 'The spelling without capitals and repeated blanks.',
    Variants: 'Other spellings, most frequent first.',
    OccurrenceCount: 'Number of mentions.',
    InferredParents: 'Places that a path such as `A/B` puts it in.',
    InferredChildren: 'Places that a path puts in it.',
    LikelyResolvesTo: 'Names of this report that it probably stands for, best first.',
    EntityMatch: 'The block that it means; null when there is none.',
    Conflicts: 'What a reviewer should look at.',
    Witnesses: 'The first sessions that name it, at most 5.',
  },
  LikelyLocation: {
    Name: 'A name of this report.',
    Reason: 'QualifiedPath: it ends that path. EditDistance: that many letters differ.',
    Confidence: 'How sure that is.',
  },
  LocationMatch: {
    Name: 'Heading of the block; null where several blocks have the name.',
    Type: 'Type of the block; another than Lokacja where the text names no place.',
    Match: '`Exact` by a heading or alias, else `Fuzzy`.',
    Stage: stage,
    Ambiguous: 'True when several blocks have the name.',
  },
  LocationConflict: {
    Kind: 'What conflicts: `docs/spec/name-routes.md#locations` explains each kind.',
    With: 'The spellings, paths or places that conflict.',
  },
}

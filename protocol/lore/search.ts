import * as t from 'io-ts'
import { Day, SearchEngine, Tier } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { JobEnvelope } from '../host/jobs.js'
import { Flag, OffsetText, PageLimitText, searchTexts } from '../query.js'
import { actsOnHost, ofHost, read, route, type Table } from '../route.js'

/** What a hit is part of, as `diegesis` of a works document states it. */
export const diegeses = ['in-game', 'out-of-game', 'mixed'] as const
export type Diegesis = (typeof diegeses)[number]

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

/** Where a word of the query is in a snippet, in UTF-16 units; `end` exclusive. */
const MatchedSpan = t.type({ start: t.number, end: t.number }, 'MatchedSpan')

export const SearchHit = t.type(
  {
    kind: Tier,
    source: t.string,
    title: t.string,
    header: textOrNull,
    line: numberOrNull,
    date: textOrNull,
    authority: t.keyof({ rada: null, transcript: null, tool: null, 'player-ip': null, external: null }),
    diegesis: t.union([t.keyof({ 'in-game': null, 'out-of-game': null, mixed: null }), t.null]),
    score: t.number,
    matched: t.readonlyArray(t.string),
    snippet: t.string,
    spans: t.readonlyArray(MatchedSpan),
  },
  'SearchHit',
)
export type SearchHit = Readonly<t.TypeOf<typeof SearchHit>>

/** Why a tier of the scope is not searched for a caller. */
export const SkipReason = t.keyof(
  { forbidden: null, disabled: null, starting: null, failed: null },
  'SkipReason',
)
export type SkipReason = t.TypeOf<typeof SkipReason>

const SkippedTier = t.type({ tier: Tier, reason: SkipReason }, 'SkippedTier')

export const SearchPage = t.intersection(
  [
    t.type({
      Query: t.string,
      Scope: t.string,
      Searched: t.readonlyArray(Tier),
      Skipped: t.readonlyArray(Tier),
      SkippedBecause: t.readonlyArray(SkippedTier),
      Count: t.number,
      Total: t.number,
      Offset: t.number,
      Limit: t.number,
      Items: t.readonlyArray(SearchHit),
    }),
    t.partial({ TotalIsLowerBound: t.literal(true) }),
  ],
  'SearchPage',
)
export type SearchPage = Readonly<t.TypeOf<typeof SearchPage>>

export const ZeroResult = t.type(
  {
    query: t.string,
    tiers: t.readonlyArray(Tier),
    count: t.number,
    firstAt: Day,
    lastAt: Day,
    nearest: t.readonlyArray(t.string),
    solvedBy: textOrNull,
  },
  'ZeroResult',
)
export type ZeroResult = Readonly<t.TypeOf<typeof ZeroResult>>

const ZeroResultList = t.type(
  {
    count: t.number,
    total: t.number,
    limit: t.number,
    offset: t.number,
    items: t.readonlyArray(ZeroResult),
  },
  'ZeroResultList',
)
export type ZeroResultPage = Readonly<t.TypeOf<typeof ZeroResultList>>

/** What was under way when an index or a thread of a tier could not be used. */
export const TroubleDuring = t.keyof({ loading: null, building: null, ranking: null }, 'TroubleDuring')
export type TroubleDuring = t.TypeOf<typeof TroubleDuring>

/**
 * Why: the saved file is damaged or of another version, the thread ended or ran out of memory, the disk refused,
 * or something else that the log of the host has.
 */
export const TroubleCause = t.keyof(
  { damaged: null, ended: null, memory: null, disk: null, failed: null },
  'TroubleCause',
)
export type TroubleCause = t.TypeOf<typeof TroubleCause>

const SearchTrouble = t.type(
  {
    during: TroubleDuring,
    cause: TroubleCause,
    /** An instant, ISO 8601 in UTC. */
    at: t.string,
  },
  'SearchTrouble',
)

export const SearchIndexTier = t.type(
  {
    tier: Tier,
    state: t.keyof({ disabled: null, starting: null, live: null }),
    building: t.boolean,
    engine: t.union([SearchEngine, t.null]),
    stamp: t.union([t.string, t.null]),
    documents: t.number,
    changes: t.number,
    trouble: t.union([SearchTrouble, t.null]),
  },
  'SearchIndexTier',
)
export type SearchIndexTier = t.TypeOf<typeof SearchIndexTier>

/** The answer of `GET /search/index`. */
const SearchIndexAnswer = t.type({ tiers: t.array(SearchIndexTier) }, 'SearchIndexAnswer')

/** The answer of a rebuild: the tiers that have a new index, or would get one. */
export const SearchRebuilt = t.type({ tiers: t.array(Tier) }, 'SearchRebuilt')
export type SearchRebuilt = t.TypeOf<typeof SearchRebuilt>

export const searchRoutes = {
  'search.get': {
    ...read({
      path: '/search',
      summary:
        'Texts that hold the words of `q` in any of their forms, the best first; at most 100, 20 unless told.',
      capability: 'entity.read',
      query: {
        q: searchTexts.q,
        scope: searchTexts.scope,
        kind: searchTexts.kind,
        diegesis: searchTexts.diegesis,
        from: searchTexts.day,
        to: searchTexts.day,
        asOf: searchTexts.day,
        limit: PageLimitText,
        offset: OffsetText,
      },
      answers: { 200: SearchPage },
      refusals: [
        'SearchQueryMissing',
        'SearchKindInvalid',
        'SearchDiegesisInvalid',
        'DateInvalid',
        'SearchBoundConflict',
        'SearchScopeForbidden',
        'SearchIndexDisabled',
        'ParameterInvalid',
        'Starting',
        'Overloaded',
      ],
      source: 'B 2.3, B 4.4',
      example: {
        query: {
          q: 'kupca Bogdana',
          scope: 'lore,session',
          kind: 'session',
          diegesis: 'in-game',
          from: '2024-01-01',
          to: '2026-06-01',
          asOf: '2026-06-01',
          limit: '5',
          offset: '0',
        },
        needs: ['q'],
        apart: ['asOf'],
      },
    }),
    indexed: true,
  },
  'search.zeroResults.list': route({
    ...ofHost,
    method: 'GET',
    path: '/search/zero-results',
    summary: 'Queries that found nothing on this host, the last asked first; at most 100, 20 unless told.',
    capability: 'entity.read',
    query: { limit: PageLimitText, offset: OffsetText },
    body: null,
    answers: { 200: ZeroResultList },
    refusals: [],
    source: 'B 4.4',
    example: { query: { limit: '5', offset: '0' } },
  }),
} as const satisfies Table

/** The indexes of search on this host (B 4.4). */
export const searchIndexRoutes = {
  'search.index.get': route({
    ...ofHost,
    method: 'GET',
    path: '/search/index',
    anyCommit: true,
    summary: 'The search index of each tier: its engine, state, documents and stamp, and its last trouble.',
    capability: 'entity.read',
    query: {},
    body: null,
    answers: { 200: SearchIndexAnswer },
    refusals: [],
    source: 'B 4.4',
    example: {},
  }),
  'search.index.rebuild': route({
    ...actsOnHost,
    method: 'POST',
    path: '/search/index/rebuild',
    anyCommit: true,
    summary: 'Builds the index of every configured tier from nothing; `async=true` makes it a job.',
    capability: 'admin.index',
    query: { async: Flag },
    body: t.type({}, 'Nothing'),
    answers: { 200: SearchRebuilt, 202: JobEnvelope },
    refusals: ['Overloaded'],
    source: 'B 4.4, D33',
    example: { query: { async: 'false' }, body: {} },
  }),
} as const satisfies Table

export const searchDescriptions: Descriptions = {
  SearchPage: {
    Query: 'The query as it was sent.',
    Scope: 'The requested tiers.',
    Searched: 'Tiers that were searched.',
    Skipped: 'Tiers of the scope that were not searched.',
    SkippedBecause: 'Why each of them was not.',
    Count: 'Number of hits on this page.',
    Total: 'Number of sources that match, one for each tier and source.',
    TotalIsLowerBound: 'Present where more sources may match than `Total` says.',
    Offset: 'Number of hits before this page.',
    Limit: 'Largest number of hits on a page.',
    Items: 'Hits: those of the kinds take turns, the best of each first.',
  },
  SkippedTier: {
    tier: 'Tier of the scope that is left out.',
    reason: 'No capability, no index, an index still being built, or a fault.',
  },
  SearchHit: {
    kind: 'Kind of the document, which is its tier.',
    source: 'Path of the file, or name of the transcript.',
    title: 'Header above the passage, or name of the file.',
    header: 'Header of the session that the passage is part of; null where there is none.',
    line: 'First line of the passage, or page of a PDF; null for a whole file.',
    date: 'Day of the passage; null where it has none.',
    authority: 'How far the text binds.',
    diegesis: 'Whether the text speaks from inside the game; null where it does not say.',
    score: 'BM25, comparable within one answer only.',
    matched: 'Words of the query that the passage has.',
    snippet: 'The part of the passage around the words; empty where the source cannot be read.',
    spans: 'Where the words are in the snippet.',
  },
  MatchedSpan: { start: 'First UTF-16 unit.', end: 'Unit behind the last.' },
  ZeroResultList: {
    count: 'Number of items on this page.',
    total: 'Number of queries that the caller may see.',
    limit: 'Largest number of items on a page.',
    offset: 'Number of items before this page.',
    items: 'Queries without a hit, the last asked first.',
  },
  ZeroResult: {
    query: 'The words, without credentials, long numbers and restricted topics.',
    tiers: 'Tiers that were searched.',
    count: 'How often it was asked.',
    firstAt: 'The day on which it was asked first.',
    lastAt: 'The day on which it was asked last.',
    nearest: 'Names of the lore that are spelt nearly so.',
    solvedBy: 'Commit since which it finds something; null where it still finds nothing.',
  },
  'Refusal.DateInvalid': { parameter: 'Name of the query parameter.' },
  'Refusal.SearchScopeForbidden': { tiers: 'Tiers of the scope that the caller may not search.' },
  'Refusal.SearchIndexDisabled': { tiers: 'Tiers without an index.', key: 'Key of the configuration.' },
}

export const searchIndexDescriptions: Descriptions = {
  SearchIndexAnswer: { tiers: 'Every tier, in a fixed order.' },
  SearchIndexTier: {
    tier: 'Name of the tier.',
    state: '`disabled` by the configuration, `starting` with its first index, or `live`: it answers.',
    building: 'Whether a build or merge of the tier is under way.',
    engine: 'What ranks the tier; null while it does not answer.',
    stamp: 'The state of the texts that the index holds; null while it does not answer.',
    documents: 'Number of documents in the index.',
    changes: 'Number of documents added or dropped since the last build or merge.',
    trouble: 'Last index or thread that could not be used since the start; null where there was none.',
  },
  SearchTrouble: {
    during: 'What was under way.',
    cause: 'Why: `damaged` file, thread `ended`, out of `memory`, `disk` refused, or `failed`: see the log.',
    at: 'When, ISO 8601 in UTC.',
  },
  SearchRebuilt: { tiers: 'Tiers with a new index; for a dry run, those that would get one.' },
}

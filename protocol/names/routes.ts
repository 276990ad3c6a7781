import * as t from 'io-ts'
import {
  EntityTypeText,
  Flag,
  OffsetText,
  PageLimitText,
  SequenceText,
  Text,
  windowQuery,
} from '#protocol/query.js'
import { ofHost, type Route, read, route, type Table } from '#protocol/route.js'
import {
  longQueries,
  NameBatch,
  NameBatchAnswer,
  NameIndexRebuilt,
  NameQuery,
  ResolveAnswer,
  TokenOwners,
} from './resolve.js'
import { EntitySearch } from './search.js'
import { NameSuggestions } from './suggestions.js'

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

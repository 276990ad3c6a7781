import { OffsetText, PageLimitText, searchTexts } from '#protocol/query.js'
import { ofHost, read, route, type Table } from '#protocol/route.js'
import { SearchPage, ZeroResultList } from './search.js'

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

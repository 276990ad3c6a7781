import { ofHost, route, type Table, write } from '#protocol/route.js'
import { ApiKeyClaimed, ApiKeyIssued, ApiKeyPreview, ApiKeyWish } from './api-key.js'

/** Api keys: their hash is committed, and a code hands the key over (A 4.3, A 5.1, D38, D39). */
export const apiKeyRoutes = {
  'apiKeys.issue': write({
    method: 'POST',
    path: '/api-keys',
    summary:
      'Makes an api key for a person who has no more rights than the caller, and returns a code to claim it with.',
    capability: 'apikey.manage',
    own: true,
    query: {},
    body: ApiKeyWish,
    answers: { 200: ApiKeyPreview, 201: ApiKeyIssued },
    refusals: ['Forbidden', 'IdentityNotFound', 'StoreUnreadable', 'DiskRefused'],
    source: 'A 4.3, A 5.1, D38, ADR 1020, ADR 1018',
    example: { body: { gameId: '41001' } },
  }),
  'apiKeys.claim': route({
    ...ofHost,
    method: 'GET',
    path: '/api-keys/claim/{sha}',
    summary: 'Gives the api key behind a claim code, once.',
    capability: null,
    early: true,
    limited: true,
    query: {},
    body: null,
    answers: { 200: ApiKeyClaimed },
    refusals: ['ClaimNotFound', 'DiskRefused'],
    source: 'A 4.3, D39, ADR 1020',
    example: { path: { sha: 'c0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0de' } },
  }),
} as const satisfies Table

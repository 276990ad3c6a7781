import { ofHost, route, type Table, write } from '#protocol/route.js'
import {
  NamedTokenList,
  NamedTokenMinted,
  NamedTokenPreview,
  NamedTokenRevoked,
  NamedTokenWish,
} from './named-token.js'

const ofTokens = {
  capability: 'token.manage',
  own: false,
  anyCommit: true,
  query: {},
  source: 'A 4.3, A 5.1, D41, docs/spec/identity.md#named-tokens',
} as const

/** Tokens are records of this host alone: no commit contains them (D40). */
const uncommitted = { ...ofTokens, commits: false } as const

/** Named tokens of this host (A 4.3). */
export const tokenRoutes = {
  'tokens.mint': write({
    ...uncommitted,
    method: 'POST',
    path: '/tokens',
    summary:
      'Mints a named token of this host with a fixed set of capabilities. The token is shown only once.',
    body: NamedTokenWish,
    answers: { 200: NamedTokenPreview, 201: NamedTokenMinted },
    refusals: ['ValueRefused', 'Forbidden', 'DiskRefused'],
    example: { body: { name: 'bot', capabilities: ['token.manage'] } },
  }),
  'tokens.list': route({
    ...ofHost,
    ...ofTokens,
    method: 'GET',
    path: '/tokens',
    summary: 'The valid named tokens of this host, oldest first, without their secrets.',
    body: null,
    answers: { 200: NamedTokenList },
    refusals: [],
    example: {},
  }),
  'tokens.revoke': write({
    ...uncommitted,
    method: 'DELETE',
    path: '/tokens/{id}',
    summary: 'Revokes a named token of this host. The next request with it is refused.',
    body: null,
    answers: { 200: NamedTokenRevoked },
    refusals: ['TokenNotFound', 'DiskRefused'],
    example: { path: { id: '0123456789abcdef' } },
  }),
} as const satisfies Table

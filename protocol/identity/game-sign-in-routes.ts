import { route, type Table } from '#protocol/route.js'
import { LoginChallenge } from './challenge.js'

export const gameSignInRoutes = {
  'identity.gameChallenge': route({
    method: 'POST',
    path: '/auth/game/challenge',
    summary: 'A challenge that the client passes as `token` to the call of the game that signs.',
    capability: null,
    own: false,
    write: false,
    replica: false,
    pool: false,
    poolReason: 'default',
    etag: false,
    limited: true,
    early: true,
    query: {},
    body: null,
    answers: { 200: LoginChallenge },
    refusals: ['challenge_flood', 'DiskRefused'],
    source: 'A 4.3',
  }),
} as const satisfies Table

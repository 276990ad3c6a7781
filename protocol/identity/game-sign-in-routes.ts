import { ofHost, route, type Table } from '#protocol/route.js'
import { LoginChallenge } from './challenge.js'
import { GameEnvelope } from './game-sign-in.js'
import { SignInAnswer } from './sign-in.js'

export const gameSignInRoutes = {
  'auth.game.signIn': route({
    ...ofHost,
    method: 'POST',
    path: '/auth/game',
    anyCommit: true,
    summary: 'Signs in with a payload that the game signed.',
    capability: null,
    limited: true,
    query: {},
    body: GameEnvelope,
    unknownKeys: 'ignored',
    answers: { 200: SignInAnswer },
    refusals: [
      'game_auth_disabled',
      'EnvelopeIncomplete',
      'SignedPartInvalid',
      'TimestampInvalid',
      'TimestampOutOfWindow',
      'SignatureMissing',
      'SignatureMalformed',
      'ChallengeUnknown',
      'SigningKeyAway',
      'SigningKeyWeak',
      'SignatureInvalid',
      'DiskRefused',
      'ambiguous_game_id',
      'no_gracz_at_sign_in',
    ],
    source: 'A 4.3',
    example: {
      body: {
        user_id: '41001',
        token: 'ChallengeOfTheTests0123456789abc',
        ts: 1781524800,
        signatureBase64: 'c2lnbmF0dXJl',
      },
    },
  }),
  'auth.gameChallenge.issue': route({
    ...ofHost,
    method: 'POST',
    path: '/auth/game/challenge',
    summary: 'A challenge that the client passes as `token` to the call of the game that signs.',
    capability: null,
    limited: true,
    early: true,
    query: {},
    body: null,
    answers: { 200: LoginChallenge },
    refusals: ['challenge_flood', 'DiskRefused'],
    source: 'A 4.3',
    example: {},
  }),
} as const satisfies Table

import * as t from 'io-ts'
import { ofHost, route, type Table } from '#protocol/route.js'
import { LoginChallenge } from './challenge.js'
import { SignInAnswer } from './sign-in.js'

const text = t.union([t.string, t.null])

/**
 * What a client needs to request an id token from the issuer. All fields but `enabled` are null when chat
 * sign-in is off.
 */
export const ChatSignInConfig = t.type(
  { enabled: t.boolean, clientId: text, issuer: text, scope: text },
  'ChatSignInConfig',
)
export type ChatSignInConfig = t.TypeOf<typeof ChatSignInConfig>

const open = {
  ...ofHost,
  capability: null,
  query: {},
} as const

export const chatSignInRoutes = {
  'auth.chat.signIn': route({
    ...open,
    method: 'POST',
    path: '/auth/chat',
    anyCommit: true,
    summary: 'Signs in with an id token of the chat platform, as the Gracz that the account is linked to.',
    limited: true,
    early: false,
    body: t.type({ id_token: t.string }, 'ChatSignIn'),
    unknownKeys: 'ignored',
    answers: { 200: SignInAnswer },
    refusals: [
      'chat_auth_disabled',
      'Unauthorized',
      'SigningKeyAway',
      'DiskRefused',
      'not_linked',
      'no_gracz_at_sign_in',
    ],
    source: 'A 4.3, D42',
    example: {
      body: {
        id_token:
          'eyJhbGciOiJSUzI1NiIsImtpZCI6ImZpcnN0In0.eyJzdWIiOiI3MDAxMDAyMDAzMDA0MDA1MDAifQ.c2lnbmF0dXJl',
      },
    },
  }),
  'auth.chatChallenge.issue': route({
    ...open,
    method: 'POST',
    path: '/auth/chat/challenge',
    summary: 'A challenge that the client has the issuer put into the id token as `nonce`.',
    limited: true,
    early: true,
    body: null,
    answers: { 200: LoginChallenge },
    refusals: ['challenge_flood', 'DiskRefused'],
    source: 'A 4.3, D42',
    example: {},
  }),
  'auth.chatConfig.get': route({
    ...open,
    method: 'GET',
    path: '/auth/chat/config',
    summary: 'Whether chat sign-in is on, and what a client asks the issuer with.',
    early: true,
    body: null,
    answers: { 200: ChatSignInConfig },
    refusals: [],
    source: 'A 4.3',
    example: {},
  }),
} as const satisfies Table

import * as t from 'io-ts'
import { route, type Table } from '#protocol/route.js'

const text = t.union([t.string, t.null])

/** What a client needs to ask the issuer for an id token; all null but `enabled` where chat sign-in is off. */
export const ChatSignInConfig = t.type(
  { enabled: t.boolean, clientId: text, issuer: text, scope: text },
  'ChatSignInConfig',
)
export type ChatSignInConfig = t.TypeOf<typeof ChatSignInConfig>

const signIn = {
  capability: null,
  own: false,
  write: false,
  replica: false,
  pool: false,
  poolReason: 'default',
  etag: false,
  query: {},
} as const

export const chatSignInRoutes = {
  'identity.chatConfig': route({
    ...signIn,
    method: 'GET',
    path: '/auth/chat/config',
    summary: 'Whether chat sign-in is on, and what a client asks the issuer with.',
    early: true,
    body: null,
    answers: { 200: ChatSignInConfig },
    refusals: [],
    source: 'A 4.3',
  }),
} as const satisfies Table

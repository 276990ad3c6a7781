import * as t from 'io-ts'
import { CapabilityId, Instant, isVisible } from '../atoms.js'
import { previewOf } from '../dry-run.js'
import { ofHost, route, type Table, write } from '../route.js'
import { Identity } from './identity.js'
import { AccountLink, AccountLinkAnswer } from './link.js'

/**
 * The answer of a sign-in (A 2.2, D42). `token` is valid on this host only; `fleetToken` is valid on every
 * host of the fleet, and absent when this host cannot mint one.
 */
export const SignInAnswer = t.intersection(
  [
    t.type({
      token: t.string,
      identity: Identity,
      capabilities: t.readonlyArray(CapabilityId),
      expires: Instant,
    }),
    t.partial({ fleetToken: t.string, fleetTokenExpires: Instant }),
  ],
  'SignInAnswer',
)
export type SignInAnswer = t.TypeOf<typeof SignInAnswer>

/** Most outstanding challenges of a host, those of game and chat together (A 8, D42). */
export const challengesMax = 512

/** How long a challenge may be used (D41). */
export const challengeTtlMs = 300_000

/** Without `+`, which separates the signed parts (A 4.3). */
export const challengeAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 62³² is above 2¹⁹⁰, so a challenge cannot be guessed within its lifetime. */
export const challengeChars = 32

/** The answer of a challenge row (A 2.2). */
export const LoginChallenge = t.type(
  { challenge: t.string, expires: Instant, ttlSeconds: t.number },
  'LoginChallenge',
)
export type LoginChallenge = t.TypeOf<typeof LoginChallenge>

const text = t.union([t.string, t.null])

/**
 * What a client needs to request an id token from the issuer. All fields but `enabled` are null when chat
 * sign-in is off.
 */
const ChatSignInConfig = t.type(
  { enabled: t.boolean, clientId: text, issuer: text, scope: text },
  'ChatSignInConfig',
)
type ChatSignInConfig = t.TypeOf<typeof ChatSignInConfig>

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

/** Digests allowed for game sign-in (`integrations.game.signature_digest`). */
export const SignatureDigest = t.keyof({ sha256: null, sha384: null, sha512: null }, 'SignatureDigest')
export type SignatureDigest = t.TypeOf<typeof SignatureDigest>

/**
 * The signed payload of `POST /auth/game` (A 2.2): an RSA signature over `user_id`, `token` and `ts`, joined
 * by `+`. `ts` is whole seconds (D41). All parts are optional here, so that a missing one is a 401 that names
 * it instead of a bad body.
 */
export const GameEnvelope = t.readonly(
  t.partial({
    user_id: t.string,
    token: t.string,
    ts: t.union([t.number, t.string]),
    signatureBase64: t.string,
  }),
  'GameEnvelope',
)
export type GameEnvelope = t.TypeOf<typeof GameEnvelope>

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

export const linkRoutes = {
  'auth.link': write({
    method: 'POST',
    path: '/auth/link',
    anyCommit: true,
    summary: 'Binds a chat account to a game id. The caller must have every capability of the id.',
    capability: 'identity.link',
    own: false,
    query: {},
    body: AccountLink,
    unknownKeys: 'ignored',
    answers: { 200: AccountLinkAnswer },
    refusals: ['no_gracz_for_game_id', 'ambiguous_game_id', 'Forbidden', 'StoreUnreadable'],
    source: 'A 4.3, D42, ADR 1019',
    example: { body: { gameId: '41002', chatId: '1002' } },
  }),
} as const satisfies Table

const capabilitiesMax = 100

const isName = (text: string): boolean =>
  text.trim() === text &&
  text.length > 0 &&
  text.length <= tokenNameCharsMax &&
  isVisible(text) &&
  !text.includes('\ufffd')

/** Limits of a requested named token, also shown in the reference and the help of the command. */
export const tokenNameCharsMax = 100

/** The name of a token for people: no blank at its ends, no control character, no invisible one, no U+FFFD. */
const TokenName = t.refinement(t.string, isName, 'TokenName')
/** Ten years. */
export const tokenLifetimeSecondsMax = 315_360_000

/** Whole seconds from now, ten years at most. */
const TokenLifetime = t.refinement(
  t.Int,
  seconds => seconds >= 1 && seconds <= tokenLifetimeSecondsMax,
  'TokenLifetime',
)

/** Capability ids of A 5, or `<resource>.all`; at least one. */
const TokenCapabilities = t.refinement(
  t.readonlyArray(t.string),
  ids => ids.length > 0 && ids.length <= capabilitiesMax,
  'TokenCapabilities',
)

/**
 * A requested named token (A 4.3, D41). `expiresIn` is in seconds; without it the token is valid until
 * revoked.
 */
export const NamedTokenWish = t.intersection(
  [t.type({ name: TokenName, capabilities: TokenCapabilities }), t.partial({ expiresIn: TokenLifetime })],
  'NamedTokenWish',
)
export type NamedTokenWish = t.TypeOf<typeof NamedTokenWish>

const frozen = {
  capabilities: t.readonlyArray(t.string),
  /** Null: valid until revoked. */
  expires: t.union([Instant, t.null]),
} as const

/**
 * A named token of this host, without the token itself. `by` is the Gracz who minted it, or the kind of the
 * caller.
 */
export const NamedTokenRow = t.type(
  { id: t.string, name: t.string, ...frozen, created: Instant, by: t.string },
  'NamedTokenRow',
)
export type NamedTokenRow = t.TypeOf<typeof NamedTokenRow>

/** The named token of a request: public, as `GET /tokens` lists it. */
export const TokenRef = t.type({ id: t.string, name: t.string }, 'TokenRef')
export type TokenRef = Readonly<t.TypeOf<typeof TokenRef>>

export const NamedTokenList = t.type(
  { count: t.number, items: t.readonlyArray(NamedTokenRow) },
  'NamedTokenList',
)
export type NamedTokenList = t.TypeOf<typeof NamedTokenList>

/** The only answer that contains the token. */
export const NamedTokenMinted = t.type({ token: t.string, ...NamedTokenRow.props }, 'NamedTokenMinted')
export type NamedTokenMinted = t.TypeOf<typeof NamedTokenMinted>

const NamedTokenPreview = t.type({ wouldMint: t.string, ...frozen }, 'NamedTokenPreview')

export const NamedTokenRevoked = t.type(
  { id: t.string, name: t.string, revoked: t.boolean },
  'NamedTokenRevoked',
)
export type NamedTokenRevoked = t.TypeOf<typeof NamedTokenRevoked>

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

/** The person for whom a key is requested. */
const ApiKeyWish = t.type({ gameId: t.string }, 'ApiKeyWish')

/** `openKeys` counts the valid keys of the person, the new one included: a rotation ends none. */
const issued = { name: t.string, openKeys: t.number } as const

/**
 * A new api key of the person `issued`. No answer has shown it yet: `claim` is a code that `GET
 * /api-keys/claim/{code}` of this host accepts once, until `expires` (D39).
 */
export const ApiKeyIssued = t.type(
  { issued: t.string, ...issued, claim: t.string, expires: Instant },
  'ApiKeyIssued',
)

/** A dry run makes no key: its diff shows a placeholder in place of the hash. */
const ApiKeyPreview = previewOf({ wouldIssue: t.string, ...issued }, 'ApiKeyPreview')
export type ApiKeyAnswer = t.TypeOf<typeof ApiKeyIssued> | t.TypeOf<typeof ApiKeyPreview>

/** The key itself, shown only in this answer. */
export const ApiKeyClaimed = t.type({ key: t.string, gameId: t.string }, 'ApiKeyClaimed')

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

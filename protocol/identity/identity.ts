import * as t from 'io-ts'
import { CapabilityId } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { ofHost, route, type Table, write } from '../route.js'

/** A person's identity (D42): `roles` are those of today, `chatId` is null when no chat account is linked. */
export const Identity = t.readonly(
  t.type({
    gameId: t.string,
    name: t.string,
    roles: t.readonlyArray(t.string),
    chatId: t.union([t.string, t.null]),
  }),
  'Identity',
)
export type Identity = t.TypeOf<typeof Identity>

const CallerKind = t.keyof(
  { anonymous: null, machine: null, session: null, fleet: null, peer: null, named: null, api: null },
  'CallerKind',
)

/**
 * `GET /auth/whoami`: the kind of the caller's token, and its rights. `identity` is null for a token that
 * belongs to no person: the machine's and the named ones.
 */
export const WhoAmI = t.type(
  { kind: CallerKind, identity: t.union([Identity, t.null]), capabilities: t.readonlyArray(CapabilityId) },
  'WhoAmI',
)

/**
 * `GET /identity/{id}`: a person as the roster shows them. `chatId` is present only for the person themselves
 * and for callers who link accounts (docs/spec/identity.md#shown).
 */
export const KnownIdentity = t.intersection(
  [
    t.type({ gameId: t.string, name: t.string, roles: t.readonlyArray(t.string) }),
    t.partial({ chatId: t.union([t.string, t.null]) }),
  ],
  'KnownIdentity',
)
export type KnownIdentity = t.TypeOf<typeof KnownIdentity>

/** `GET /capabilities`: every id that the caller's grants satisfy in full, in the order of A 5. */
const CapabilitySet = t.type(
  { count: t.number, capabilities: t.readonlyArray(CapabilityId) },
  'CapabilitySet',
)
type CapabilitySet = t.TypeOf<typeof CapabilitySet>

/** A capability to give to a game id or to take from it: an id of A 5, or `<resource>.all`. */
export const GrantWish = t.type({ gameId: t.string, capability: t.string }, 'GrantWish')
export type GrantWish = t.TypeOf<typeof GrantWish>

/**
 * `held` is how far the person holds the capability after the write, from all sources: a role may give what a
 * grant no longer does.
 */
const after = {
  gameId: t.string,
  name: t.union([t.string, t.null]),
  changed: t.boolean,
  held: t.keyof({ full: null, own: null, none: null }),
} as const

/**
 * `binding` is the chat account that speaks for the id and so gets the right too, null when there is none.
 * `by` is who bound it; `chat:<chatId>` is the account itself, by a registration that nothing verified (A
 * 4.4.1, ADR 1019).
 */
const speaks = {
  binding: t.union([t.type({ chatId: t.string, since: t.string, by: t.string }, 'SpeakingAccount'), t.null]),
} as const

/** `changed` is false when everything was already as requested and no commit was made (D32). */
export const Granted = t.type({ granted: t.string, ...after, ...speaks }, 'Granted')
export type Granted = t.TypeOf<typeof Granted>
const GrantPreview = previewOf({ wouldGrant: t.string, ...after, ...speaks }, 'GrantPreview')
export const GrantAnswer = t.union([Granted, GrantPreview], 'GrantAnswer')
export type GrantAnswer = t.TypeOf<typeof GrantAnswer>

/** `name` is null when no person has the id today. */
const Revoked = t.type({ revoked: t.string, ...after }, 'Revoked')
const RevokePreview = previewOf({ wouldRevoke: t.string, ...after }, 'RevokePreview')
export const RevokeAnswer = t.union([Revoked, RevokePreview], 'RevokeAnswer')
export type RevokeAnswer = t.TypeOf<typeof RevokeAnswer>

const ofGrants = {
  method: 'POST',
  capability: 'capability.admin',
  own: false,
  query: {},
  body: GrantWish,
  source: 'A 4.3, A 5, D40, ADR 1019',
} as const

/** Grants of capabilities beside the roles (A 4.3, D40): committed, so that every host knows them. */
export const rightsRoutes = {
  'capabilities.grant': write({
    ...ofGrants,
    path: '/capabilities/grant',
    summary: 'Gives a capability to a game id. The caller must have it in full.',
    answers: { 200: GrantAnswer },
    refusals: ['ValueRefused', 'Forbidden', 'IdentityNotFound', 'StoreUnreadable'],
    example: { body: { gameId: '41002', capability: 'capability.admin' } },
  }),
  'capabilities.revoke': write({
    ...ofGrants,
    path: '/capabilities/revoke',
    summary: 'Takes a grant back; what a role gives stays.',
    answers: { 200: RevokeAnswer },
    refusals: ['ValueRefused', 'IdentityNotFound', 'StoreUnreadable'],
    example: { body: { gameId: '41002', capability: 'sync.run' } },
  }),
} as const satisfies Table

/** Columns of a read whose answer depends on the caller: no reader thread and no validator. */
const ofCaller = {
  ...ofHost,
  method: 'GET',
  query: {},
  body: null,
  source: 'A 4.3, docs/spec/identity.md#shown',
} as const

/** Who the caller is, who others are, and what the caller may do (A 4.3). */
export const identityRoutes = {
  'auth.whoami.get': route({
    ...ofCaller,
    path: '/auth/whoami',
    anyCommit: true,
    summary: 'The caller, with their rights now.',
    capability: 'identity.read',
    answers: { 200: WhoAmI },
    refusals: [],
    example: {},
  }),
  'identity.get': route({
    ...ofCaller,
    path: '/identity/{id}',
    summary: 'The person whose game id it is today.',
    capability: 'identity.read',
    answers: { 200: KnownIdentity },
    refusals: ['IdentityNotFound'],
    example: { path: { id: '41001' } },
  }),
  'capabilities.list': route({
    ...ofHost,
    method: 'GET',
    path: '/capabilities',
    summary: "The caller's resolved capabilities.",
    capability: 'capability.read',
    query: {},
    body: null,
    answers: { 200: CapabilitySet },
    refusals: [],
    source: 'A 4.3',
    example: {},
  }),
} as const satisfies Table

const person = {
  name: 'Heading of the person in the contributor store.',
  roles: 'Roles of today.',
} as const

const right = {
  name: 'Name of the person; null when no person has the id any more.',
  held: 'How far the person holds the capability after the write, from roles and grants together.',
} as const

const given = {
  ...right,
  binding: 'Chat account that speaks for the id and gets the right with it; null without one.',
} as const

const key = {
  name: 'Heading of the person in the contributor store.',
  openKeys: 'Number of keys of the person that are good today, the new one included.',
} as const

const frozen = {
  capabilities: 'Capabilities that the token holds, frozen when it is minted.',
  expires: 'When the token ends, ISO 8601 in UTC; null when it is good until revoked.',
} as const

const token = {
  id: 'Public id of the token, by which it is revoked.',
  name: 'Name of the token, for people.',
} as const

const tokenRow = {
  ...token,
  ...frozen,
  created: 'When the token was minted, ISO 8601 in UTC.',
  by: 'Person who minted it, or the kind of the caller.',
} as const

const bound = { status: 'Whether the binding is new or was there already.' } as const

export const identityDescriptions: Descriptions = {
  AccountLink: { gameId: 'Id of the person in the game.', chatId: 'Id of the chat account to bind to it.' },
  AccountLinked: bound,
  AccountLinkPreview: { wouldLink: 'Game id that would be bound.', ...bound },
  ApiKeyWish: { gameId: 'Id in the game of the person who gets the key.' },
  ApiKeyIssued: {
    issued: 'Id in the game of the person who gets the key.',
    ...key,
    claim: 'Code that `GET /api-keys/claim/{sha}` of this host exchanges for the key, once.',
    expires: 'When the code ends, ISO 8601 in UTC.',
  },
  ApiKeyPreview: { wouldIssue: 'Id in the game of the person who would get the key.', ...key },
  ApiKeyClaimed: {
    key: 'The api key, shown this once.',
    gameId: 'Id in the game of the person whom the key stands for.',
  },
  CapabilitySet: { capabilities: 'Capabilities that the caller holds in full.' },
  LoginChallenge: {
    challenge: 'Text that the sign-in must show, good once and on this host.',
    expires: 'When the challenge ends, ISO 8601 in UTC.',
    ttlSeconds: 'Seconds until then.',
  },
  GameEnvelope: {
    user_id: 'Id of the person in the game.',
    token: 'The challenge of `POST /auth/game/challenge`.',
    ts: 'When the game signed, whole seconds since 1970.',
    signatureBase64: 'RSA signature over `user_id`, `token` and `ts` joined by `+`, in Base64.',
  },
  ChatSignIn: { id_token: 'OpenID Connect id token of the configured issuer.' },
  ChatSignInConfig: {
    enabled: 'True when this host takes sign-ins of the chat.',
    clientId: 'Client id to ask the issuer with; empty when sign-in is off.',
    issuer: 'Address of the issuer; empty when sign-in is off.',
    scope: 'Scope to ask the issuer for.',
  },
  GrantWish: {
    gameId: 'Id of the person in the game.',
    capability: 'Capability, or `<resource>.all`.',
  },
  Granted: { granted: 'Capability that was granted.', ...given },
  GrantPreview: { wouldGrant: 'Capability that would be granted.', ...given },
  Revoked: { revoked: 'Capability that was revoked.', ...right },
  RevokePreview: { wouldRevoke: 'Capability that would be revoked.', ...right },
  SpeakingAccount: {
    chatId: 'Id of the chat account.',
    since: 'When it was bound, ISO 8601 in UTC.',
    by: 'Who bound it; `chat:<chatId>` for an account that registered itself.',
  },
  Identity: { ...person, chatId: 'Id of the chat account bound to the person; null without one.' },
  KnownIdentity: {
    ...person,
    chatId: 'Id of the bound chat account; null without one, absent for callers who may not see it.',
  },
  SignInAnswer: {
    token: 'Bearer token for this host, a secret.',
    identity: 'The person who signed in.',
    capabilities: 'Capabilities that the person holds in full now.',
    expires: 'When both tokens end at the latest, ISO 8601 in UTC.',
    fleetToken: 'Bearer token for every host of the fleet, a secret; absent when this host can mint none.',
    fleetTokenExpires: 'When `fleetToken` ends, ISO 8601 in UTC.',
  },
  WhoAmI: {
    kind: 'Kind of token that the caller is known by.',
    identity: 'The person of the token; null for the machine token and named tokens.',
    capabilities: 'Capabilities that the caller holds in full.',
  },
  NamedTokenWish: {
    name: 'Name of the token, for people; one line without blanks at its ends.',
    capabilities: 'Capabilities to freeze into the token, or `<resource>.all`.',
    expiresIn: 'Seconds until the token ends; until revoked without it.',
  },
  NamedTokenRow: tokenRow,
  NamedTokenMinted: { token: 'The bearer token, a secret shown this once.', ...tokenRow },
  NamedTokenPreview: { wouldMint: 'Name that the token would have.', ...frozen },
  NamedTokenRevoked: { ...token, revoked: 'True when the token was revoked; false for a dry run.' },
}

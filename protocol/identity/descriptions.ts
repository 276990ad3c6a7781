import type { Descriptions } from '../description.js'

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

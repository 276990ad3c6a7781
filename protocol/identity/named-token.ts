import * as t from 'io-ts'
import { isVisible } from '../atoms/hidden.js'
import { Instant } from '../atoms/instant.js'
import { tokenLifetimeSecondsMax, tokenNameCharsMax } from './token-limits.js'

const capabilitiesMax = 100

const isName = (text: string): boolean =>
  text.trim() === text &&
  text.length > 0 &&
  text.length <= tokenNameCharsMax &&
  isVisible(text) &&
  !text.includes('\ufffd')

/** The name of a token for people: no blank at its ends, no control character, no invisible one, no U+FFFD. */
export const TokenName = t.refinement(t.string, isName, 'TokenName')

/** Whole seconds from now, ten years at most. */
export const TokenLifetime = t.refinement(
  t.Int,
  seconds => seconds >= 1 && seconds <= tokenLifetimeSecondsMax,
  'TokenLifetime',
)

/** Capability ids of A 5, or `<resource>.all`; at least one. */
export const TokenCapabilities = t.refinement(
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

export const NamedTokenPreview = t.type({ wouldMint: t.string, ...frozen }, 'NamedTokenPreview')

export const NamedTokenRevoked = t.type(
  { id: t.string, name: t.string, revoked: t.boolean },
  'NamedTokenRevoked',
)
export type NamedTokenRevoked = t.TypeOf<typeof NamedTokenRevoked>

import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Jwt, readJwt } from './tokens.js'

/** The values that an id token must have to sign in here. */
export interface IdTokenRules {
  readonly issuer: string
  readonly clientId: string
}

/**
 * An id token whose claims all passed. Its signature is not verified yet, so nothing of it may be trusted.
 */
export interface IdToken {
  /** The id of the key that signed it; null when the header names none. */
  readonly kid: string | null
  /** The chat account. */
  readonly subject: string
  /** The challenge that it was requested with; null when it was requested without one. */
  readonly nonce: string | null
  /** The time from which this host refuses it as expired: its `exp` plus the skew. */
  readonly refusedFromMs: number
}

/** Allowed difference between the clocks of the issuer and of this host. */
export const skewSeconds = 60

/**
 * Parses an id token and checks everything but the signature (A 4.3, OIDC Core 3.1.3.7, SECURITY 4.1): the
 * algorithm is RS256, the issuer, the audience and the times must be right. Left says why not and contains no
 * value of the token.
 */
export const readIdToken = (text: string, rules: IdTokenRules, nowMs: number): Either<string, IdToken> => {
  const jwt = readJwt(text)
  if (isLeft(jwt)) return jwt
  const { header, claims } = jwt.right
  if (header.alg !== 'RS256') return left('`alg` is not RS256')
  if (!isIdType(header.typ)) return left('`typ` is that of another kind of token')
  for (const check of checks) {
    const wrong = check(claims, rules, nowMs)
    if (wrong !== null) return left(wrong)
  }
  const { sub, exp, nonce: asked } = claims
  if (!isText(sub)) return left('`sub` is empty or not a text')
  if (!isTime(exp)) return left('`exp` is not a time')
  return right({
    kid: header.kid,
    subject: sub,
    nonce: isText(asked) ? asked : null,
    refusedFromMs: endMs(exp),
  })
}

/** The last second that RFC 3339 can write; no issuer means a later time. */
const lastSecond = 253_402_300_799

const charsMax = 255

type Claims = Jwt['claims']

/**
 * Returns why the token is refused, as the end of a sentence that begins with "it"; null when the check
 * passes.
 */
type Check = (claims: Claims, rules: IdTokenRules, nowMs: number) => string | null

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= lastSecond

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= charsMax

const issuer: Check = ({ iss }, rules) =>
  iss === rules.issuer ? null : '`iss` is not the issuer of this host'

/**
 * Refuses a token for another audience, also beside this host, because it trusts no audience but itself (A
 * 4.3, OIDC 3.1.3.7).
 */
const audience: Check = ({ aud, azp }, { clientId }) => {
  const audiences: unknown = Array.isArray(aud) ? aud : [aud]
  const isOurs = Array.isArray(audiences) && audiences.length === 1 && audiences[0] === clientId
  if (!isOurs) return '`aud` is not this client alone'
  return azp === undefined || azp === clientId ? null : '`azp` is another client'
}

const endMs = (exp: number): number => Math.ceil((exp + skewSeconds) * 1000)

const expiry: Check = ({ exp }, _rules, nowMs) => {
  if (!isTime(exp)) return '`exp` is not a time'
  return nowMs < endMs(exp) ? null : 'it has expired'
}

const begin =
  (name: 'iat' | 'nbf'): Check =>
  ({ [name]: value }, _rules, nowMs) => {
    if (value === undefined) return null
    if (!isTime(value)) return `\`${name}\` is not a time`
    return value <= nowMs / 1000 + skewSeconds ? null : `\`${name}\` is in the future`
  }

const subject: Check = ({ sub }) => (isText(sub) ? null : '`sub` is empty or not a text')

const nonce: Check = ({ nonce: value }) =>
  value === undefined || isText(value) ? null : '`nonce` is not a text'

/** Refuses logout tokens of the same issuer, which must not sign anybody in (RFC 8725 3.12). */
const kind: Check = ({ events }) => (events === undefined ? null : 'it is a logout token')

const checks: ReadonlyArray<Check> = [
  issuer,
  audience,
  expiry,
  begin('iat'),
  begin('nbf'),
  subject,
  nonce,
  kind,
]

/**
 * Whether the type may be that of an id token: these have none, or the general one; explicit types mark other
 * tokens (RFC 8725 3.11).
 */
const isIdType = (typ: string | null): boolean => typ === null || typ.toUpperCase() === 'JWT'

import { hash, timingSafeEqual } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { TokenRef } from '#protocol/identity/sign-in.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { readJson } from '#src/domain/json/json-text.js'
import { callerOfSignIn, type IdentityGround } from '../callers.js'
import { viewOf } from '../grade.js'

/** A parsed JWT. Its signature is not verified, so nothing of it may be trusted. */
export interface Jwt {
  readonly header: {
    readonly alg: string
    readonly kid: string | null
    readonly typ: string | null
  }
  readonly claims: Readonly<Record<string, unknown>>
}

/**
 * Parses a compact JWS of a JWT (RFC 7519) strictly: three parts of canonical base64url, header and claims as
 * UTF-8 JSON objects without repeated keys, and no header parameter that brings a key. Left says why not and
 * contains no value.
 */
export const readJwt = (text: string): Either<string, Jwt> => {
  if (text.length > charsMax) return left(`it is longer than ${charsMax} characters`)
  if (!compact.test(text)) return left('it is not three parts of base64url')
  const [head = '', body = '', signature = ''] = text.split('.')
  const header = Header.decode(objectOf(head))
  if (isLeft(header)) return left('its header is not a JSON object with `alg`')
  const brought = refusedParameters.find(name => name in header.right)
  if (brought !== undefined) return left(`its header has \`${brought}\``)
  if (bytesOf(signature) === null) return left('its signature is not canonical base64url')
  const claims = objectOf(body)
  if (claims === null) return left('its claims are not a JSON object')
  const { alg, kid = null, typ = null } = header.right
  return right({ header: { alg, kid, typ }, claims })
}

/** The hash of a token, which is stored and compared. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

const holds: ReadonlySet<string> = new Set(['admin.all'])

/** The caller of the machine token: local processes, with all rights (A 5.1). */
export const machine: Caller = {
  kind: 'machine',
  gracz: null,
  gameId: null,
  holds,
  grade: 'full',
  view: viewOf(holds),
}

const nothing: ReadonlySet<string> = new Set()

/** The caller of a request without credentials, whom only public rows admit. */
export const anonymous: Caller = {
  kind: 'anonymous',
  gracz: null,
  gameId: null,
  holds: nothing,
  grade: 'full',
  view: viewOf(nothing),
}

/**
 * Returns a function that checks a token against a hash in constant time. A token that matched once is then
 * compared by its bytes, which takes a fifth of the time of hashing.
 */
export const tokenCheck = (kept: Buffer): ((token: string) => boolean) => {
  let known: Buffer | null = null
  return token => {
    const shown = Buffer.from(token)
    if (known !== null && shown.length === known.length && timingSafeEqual(shown, known)) return true
    if (!timingSafeEqual(tokenHash(token), kept)) return false
    known = shown
    return true
  }
}

/** The identity and the end of a login. */
export interface LoginRight {
  readonly gameId: string
  /** The chat account that signed in; null when the game did. */
  readonly chatId: string | null
  readonly expiresMs: number
}

/**
 * A login token, `sess_` and 256 random bits; the specification calls it a session token
 * (docs/vocabulary.md).
 */
export const loginToken = (secret: Buffer): string => `sess_${secret.toString('base64url')}`

/**
 * Returns a function that finds the caller of a login token, with the rights of the snapshot. It returns null
 * for an unknown or expired token, for a game id or link that is no longer valid, and before the first
 * snapshot.
 */
export const loginCaller = (find: FindTokenRecord<LoginRight>) => {
  const login = rightOf(find)
  return (token: string, snapshot: IdentityGround | null, nowMs: number): Caller | null => {
    if (snapshot === null) return null
    const right = login(token)
    if (right === null || nowMs >= right.expiresMs) return null
    return callerOfSignIn('session', right, snapshot)
  }
}

/** The rights of a named token. */
export interface NamedRight extends TokenRef {
  /** The set frozen when the token was minted; later grants and revocations do not change it (A 5.1, S30). */
  readonly capabilities: ReadonlyArray<string>
  /** Null: valid until revoked. */
  readonly expiresMs: number | null
}

/** A named token: `named_`, the public id by which it is listed and revoked, and 256 random bits. */
export const namedToken = (id: string, secret: Buffer): string =>
  `named_${id}.${secret.toString('base64url')}`

export const isExpired = ({ expiresMs }: NamedRight, nowMs: number): boolean =>
  expiresMs !== null && nowMs >= expiresMs

/**
 * Returns a function that finds the caller of a named token. It ignores the snapshot, because the rights are
 * frozen.
 */
export const namedCaller = (find: FindTokenRecord<NamedRight>) => {
  const named = rightOf(find)
  return (token: string, _snapshot: object | null, nowMs: number): Caller | null => {
    const right = named(token)
    return right === null || isExpired(right, nowMs) ? null : callerOf(right)
  }
}

/** The stored record of a token, with its rights. */
export interface TokenRecord<A> {
  /** SHA-256 of the whole token, prefix included: 32 bytes. */
  readonly hash: Buffer
  readonly right: A
}

/** Finds a record by the hash of a token in lower-case hex; null for an unknown hash. */
export type FindTokenRecord<A> = (hash: string) => TokenRecord<A> | null

/**
 * Returns a function that finds the rights of a token; null for an unknown one. It hashes first, looks up by
 * the hash alone, and compares the hashes in constant time (S34).
 */
export const rightOf =
  <A>(find: FindTokenRecord<A>) =>
  (token: string): A | null => {
    const hash = tokenHash(token)
    const kept = find(hash.toString('hex'))
    return kept !== null && timingSafeEqual(kept.hash, hash) ? kept.right : null
  }

/**
 * Longest accepted token. Tokens of sign-in are below 4 KB; parsing longer ones would let a sender waste
 * time.
 */
const charsMax = 16_384

const compact = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

/**
 * Header parameters that bring a key or change what is signed; valid tokens have none of them (RFC 8725
 * 3.10).
 */
const refusedParameters = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64']

const Header = t.intersection([
  t.type({ alg: t.string }),
  t.partial({ kid: t.string, typ: t.string }),
  t.UnknownRecord,
])

/**
 * The bytes of a part; null when the text is not the canonical one for its bytes (unused bits that are not
 * zero).
 */
const bytesOf = (part: string): Buffer | null => {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : null
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const textOf = (bytes: Buffer): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

const objectOf = (part: string): Readonly<Record<string, unknown>> | null => {
  const bytes = bytesOf(part)
  const text = bytes === null ? null : textOf(bytes)
  const json = text === null ? null : readJson(text)
  return json !== null && !isLeft(json) && t.UnknownRecord.is(json.right) && !Array.isArray(json.right)
    ? json.right
    : null
}

const callerOf = perValue(({ id, name, capabilities }: NamedRight): Caller => {
  const holds = new Set(capabilities)
  const token = { id, name }
  return { kind: 'named', gracz: null, gameId: null, token, holds, grade: 'full', view: viewOf(holds) }
})

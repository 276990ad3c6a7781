import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { right } from 'fp-ts/lib/Either.js'
import { verifyJws } from '#src/adapters/jose.js'
import type { ChatSignIn, VerifyKey } from '#src/ports/identity.js'

/** The identity of the tests' chat issuer. */
export const issuer = 'https://chat.example/oidc'
export const clientId = 'kronika-of-the-tests'

interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const made = new Map<string, Pair>()

/** A key of the issuer by its kid, created at its first use. */
export const issuerKey = (kid = 'first'): Pair => {
  const pair = made.get(kid) ?? generateKeyPairSync('rsa', { modulusLength: 2048 })
  made.set(kid, pair)
  return pair
}

const verifyKey = (kid: string): VerifyKey => ({ alg: 'RS256', key: issuerKey(kid).publicKey })

export const encodeJson = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A compact JWS over exactly these texts. */
export const signText = (head: string, body: string, key: KeyObject, digest = 'sha256'): string =>
  `${head}.${body}.${sign(digest, Buffer.from(`${head}.${body}`), key).toString('base64url')}`

/** An id token of the issuer, signed with the key that its header names, otherwise the first. */
export const idToken = (claims: object, header: { readonly kid?: string } & object = {}): string =>
  signText(
    encodeJson({ alg: 'RS256', typ: 'JWT', kid: 'first', ...header }),
    encodeJson(claims),
    issuerKey(header.kid).privateKey,
  )

/** Claims that sign in a chat account at a given time. */
export const goodIdClaims = (nowMs: number, chatId: string) => ({
  iss: issuer,
  aud: clientId,
  sub: chatId,
  iat: Math.floor(nowMs / 1000),
  exp: Math.floor(nowMs / 1000) + 300,
})

/** Chat sign-in with the tests' issuer, without fetches. */
export const chatSignInWith = (overrides: Partial<ChatSignIn> = {}): ChatSignIn => ({
  rules: { issuer, clientId },
  verified: () => undefined,
  keysBy: kid => Promise.resolve(right(kid === null || made.has(kid) ? [verifyKey(kid ?? 'first')] : [])),
  verify: verifyJws,
  ...overrides,
})

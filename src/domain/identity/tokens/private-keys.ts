import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { readJson } from '#src/domain/json/json-text.js'
import { endsMs, type FleetKey, type FleetKeys } from './fleet-keys.js'
import { lifetimeS } from './fleet-token.js'

/** The private half of a fleet key, with the public half as in its JWK. */
export interface PrivateKey {
  readonly key: KeyObject
  readonly x: string
}

const block = /-----BEGIN PRIVATE KEY-----[^-]*-----END PRIVATE KEY-----/g

const Jwk = t.type({ kty: t.literal('OKP'), crv: t.literal('Ed25519'), x: t.string, d: t.string })

const jwkOf = (text: string): ReadonlyArray<t.TypeOf<typeof Jwk>> => {
  const json = readJson(text)
  return isLeft(json) || !Jwk.is(json.right) ? [] : [json.right]
}

const keyOf = (read: () => KeyObject): ReadonlyArray<PrivateKey> => {
  const key = tryCatch(read, error => error)
  if (isLeft(key) || key.right.asymmetricKeyType !== 'ed25519') return []
  const { x } = createPublicKey(key.right).export({ format: 'jwk' })
  return x === undefined ? [] : [{ key: key.right, x }]
}

/**
 * The Ed25519 keys in a text, in order: PKCS8 PEM blocks, or one JWK. An environment variable may use `\n`
 * for newlines. Anything else is skipped.
 */
export const privateKeysOf = (text: string): ReadonlyArray<PrivateKey> =>
  text.trimStart().startsWith('{')
    ? jwkOf(text).flatMap(key => keyOf(() => createPrivateKey({ key, format: 'jwk' })))
    : (text.replaceAll('\\n', '\n').match(block) ?? []).flatMap(pem => keyOf(() => createPrivateKey(pem)))

/** A key of this host as PEM, for its private file. */
export const pemOf = ({ key }: PrivateKey): string => key.export({ format: 'pem', type: 'pkcs8' }).toString()

/** A host that signs: its private keys and its town. */
export interface Signer {
  readonly town: string
  readonly held: ReadonlyArray<PrivateKey>
}

/**
 * The key with which this host mints a token now, with its published entry: of its town's keys that outlive
 * the token, the one that ends first, so that every host knows a new key before it is used
 * (docs/spec/fleet-keys.md#rotate). Null when there is none.
 */
export const findMintKey = (
  { town, held }: Signer,
  { byKid }: FleetKeys,
  nowMs: number,
): { readonly published: FleetKey; readonly key: KeyObject } | null => {
  const lasting = [...byKid.values()]
    .filter(one => one.town === town && endsMs(one) >= nowMs + lifetimeS * 1000)
    .sort((one, other) => (endsMs(one) < endsMs(other) ? -1 : 1))
  for (const published of lasting) {
    const mine = held.find(({ x }) => x === published.jwk.x)
    if (mine !== undefined) return { published, key: mine.key }
  }
  return null
}

/** The towns for which keys of a host are published. */
export const townsOf = (held: ReadonlyArray<PrivateKey>, { byKid }: FleetKeys): ReadonlyArray<string> => [
  ...new Set(
    [...byKid.values()].filter(({ jwk }) => held.some(({ x }) => x === jwk.x)).map(({ town }) => town),
  ),
]

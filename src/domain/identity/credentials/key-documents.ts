import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { parseJson } from '#src/domain/json/json-text.js'

/**
 * Whether this is an RSA key of 2048 to 8192 bits with an odd exponent above 1 (NIST SP 800-131A, FIPS
 * 186-4).
 */
export const isStrong = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean => {
  const { modulusLength: bits = 0, publicExponent: exponent = 0n } = asymmetricKeyDetails ?? {}
  return (
    asymmetricKeyType === 'rsa' &&
    bits >= modulusBitsMin &&
    bits <= modulusBitsMax &&
    exponent > 1n &&
    exponent % 2n === 1n &&
    exponent < exponentEnd
  )
}

/**
 * The keys of a JWK set that can verify RS256; other keys are skipped. Null when the text is no JWK set. An
 * empty list withdraws all keys; a list without a single key of any kind counts as no JWK set
 * (docs/spec/sign-in.md#keys).
 */
export const keysOfSet = (json: string): ReadonlyArray<DocumentKey> | null => {
  const set = JwkSet.decode(parseJson(json))
  if (isLeft(set)) return null
  const { keys } = set.right
  return keys.length === 0 || keys.some(AnyJwk.is) ? keys.flatMap(usable) : null
}

/**
 * The one RSA key of a PEM or JWK document, of any strength and for any use
 * (docs/spec/security.md#security-4-2); null when there is none.
 */
export const keyOfDocument = (document: string): DocumentKey | null => {
  const trimmed = document.trim()
  if (!trimmed.startsWith('{')) {
    const key = keyOfPem(trimmed)
    return key === null ? null : { kid: null, key }
  }
  const jwk = Jwk.decode(parseJson(trimmed))
  const key = isLeft(jwk) ? null : keyOf(jwk.right)
  return key === null ? null : { kid: null, key }
}

/**
 * A short fingerprint by which people compare public keys: the first 16 hex digits of the SHA-256 of its SPKI
 * in DER, the beginning of `openssl pkey -pubin -outform DER | sha256sum`.
 */
export const keyPrint = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16)

/**
 * Whether a modulus, in base64url, shows that its primes can be guessed (CVE-2017-15361). Fewer than one in a
 * hundred million other moduli match.
 */
export const isRoca = (modulus: string): boolean => {
  const hex = Buffer.from(modulus, 'base64url').toString('hex')
  const n = BigInt(`0x0${hex}`)
  return residues.every(({ prime, powers }) => powers.has(Number(n % prime)))
}

/** A public RSA key of a document, with its name there. */
interface DocumentKey {
  readonly kid: string | null
  readonly key: KeyObject
}

const text = t.string

/** The members of a JWK that are read (RFC 7517, RFC 7518 6.3.1); private ones are ignored. */
const Jwk = t.intersection([
  t.type({ kty: t.literal('RSA'), n: text, e: text }),
  t.partial({ kid: text, use: text, alg: text, key_ops: t.readonlyArray(text) }),
])
type Jwk = t.TypeOf<typeof Jwk>
/** The member that makes an entry a key of any kind (RFC 7517 4.1). */
const AnyJwk = t.type({ kty: text })
const JwkSet = t.type({ keys: t.readonlyArray(t.unknown) }, 'JwkSet')

const modulusBitsMin = 2048
/** Largest accepted modulus: verifying with a larger one is slow, and none is in use. */
const modulusBitsMax = 8192
/** Exponents must be below 2^256 (FIPS 186-4 B.3.1). */
const exponentEnd = 2n ** 256n
/** Base64url characters of the shortest accepted modulus, to reject shorter ones before a key is built. */
const modulusCharsMin = Math.floor((modulusBitsMin / 8) * (4 / 3))

const keyOf = ({ kty, n, e }: Jwk): KeyObject | null => {
  try {
    return createPublicKey({ key: { kty, n, e }, format: 'jwk' })
  } catch {
    return null
  }
}

/** Whether `use`, `alg` and `key_ops`, where present, allow verifying RS256 (RFC 7517 4.2 to 4.4). */
const permitsRs256 = ({ use, alg, key_ops: operations, n }: Jwk): boolean =>
  (use === undefined || use === 'sig') &&
  (alg === undefined || alg === 'RS256') &&
  (operations === undefined || operations.includes('verify')) &&
  n.length >= modulusCharsMin

const usable = (entry: unknown): ReadonlyArray<DocumentKey> => {
  const jwk = Jwk.decode(entry)
  if (isLeft(jwk) || !permitsRs256(jwk.right)) return []
  const key = keyOf(jwk.right)
  return key !== null && isStrong(key) && !isRoca(jwk.right.n) ? [{ kid: jwk.right.kid ?? null, key }] : []
}

const keyOfPem = (pem: string): KeyObject | null => {
  if (!/^-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return null
  try {
    const key = createPublicKey(pem)
    return /^rsa(-pss)?$/.test(key.asymmetricKeyType ?? '') ? key : null
  } catch {
    return null
  }
}

/** Odd primes up to 167. Modulo each of them, every prime of the faulty generator is a power of 65537. */
const primes = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
  109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
]

const powersOf65537 = (prime: number): ReadonlySet<number> => {
  const powers = new Set<number>()
  for (let power = 1; !powers.has(power); power = (power * 65_537) % prime) powers.add(power)
  return powers
}

const residues = primes.map(prime => ({ prime: BigInt(prime), powers: powersOf65537(prime) }))

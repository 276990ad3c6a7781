import { constants, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { linkedChat } from '#test/support/chat/chat-node.js'
import { encodeJson, goodIdClaims, issuerKey, signText } from './id-tokens.js'

/** Claims that sign in Brzoza now. */
export const claims = () => goodIdClaims(Date.now(), linkedChat)

/** The same with a unique id, because a token without a nonce is accepted only once. */
const unique = () => ({ ...claims(), jti: randomUUID() })

const head = (header: object): string => encodeJson({ alg: 'RS256', typ: 'JWT', kid: 'first', ...header })

/** A token with valid claims and this header, signed with a key; by default, the issuer's. */
export const tokenWithHeader = (
  header: object,
  key: KeyObject = issuerKey().privateKey,
  digest = 'sha256',
): string => signText(head(header), encodeJson(unique()), key, digest)

/** Valid claims with some replaced, signed by the issuer; `undefined` omits one. */
export const tokenWithClaims = (others: object): string =>
  signText(head({}), encodeJson({ ...unique(), ...others }), issuerKey().privateKey)

/** A token whose header or claims are exactly this text, signed by the issuer. */
export const texts = (header: string | null, body: string | null): string => {
  const encodedText = (text: string): string => Buffer.from(text).toString('base64url')
  return signText(
    header === null ? head({}) : encodedText(header),
    body === null ? encodeJson(unique()) : encodedText(body),
    issuerKey().privateKey,
  )
}

/** Valid claims signed with a key of the attacker. */
export const evil = (header: object): string => tokenWithHeader(header, issuerKey('evil').privateKey)

/** Header and valid claims, with a signature computed from them. */
const signWithHeader = (header: object, signature: (input: string) => Buffer): string => {
  const input = `${head(header)}.${encodeJson(unique())}`
  return `${input}.${signature(input).toString('base64url')}`
}

export const macWith = (secret: string): string =>
  signWithHeader({ alg: 'HS256' }, input => createHmac('sha256', secret).update(input).digest())

export const pss = (): string =>
  signWithHeader({ alg: 'PS256' }, input =>
    sign('sha256', Buffer.from(input), {
      key: issuerKey().privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: 32,
    }),
  )

let elliptic: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | null = null

export const ellipticKey = () => {
  elliptic ??= generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return elliptic
}

export const es256 = (): string =>
  signWithHeader({ alg: 'ES256', kid: 'ec' }, input =>
    sign('sha256', Buffer.from(input), { key: ellipticKey().privateKey, dsaEncoding: 'ieee-p1363' }),
  )

/** A token with this algorithm and no signature. */
export const tokenWithoutSignature = (alg: string): string => signWithHeader({ alg }, () => Buffer.alloc(0))

/** An encrypted token whose key derivation would take two thousand million rounds (GHSA-jv3g-j58f-9mq9). */
export const costlyJwe = (): string =>
  [
    encodeJson({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 2_000_000_000, p2s: 'c2FsdA' }),
    Buffer.alloc(40).toString('base64url'),
    Buffer.alloc(12).toString('base64url'),
    encodeJson(unique()),
    Buffer.alloc(16).toString('base64url'),
  ].join('.')

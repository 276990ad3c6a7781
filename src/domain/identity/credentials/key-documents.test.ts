import { deepEqual, equal } from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { describe, it } from 'mocha'
import { isStrong, keyOfDocument, keysOfSet } from './key-documents.js'

const rsa = (modulusLength: number, publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey

const strong = rsa(2048)
const weak = rsa(1024)
const jwk = strong.export({ format: 'jwk' })
const set = (...keys: ReadonlyArray<unknown>): string => JSON.stringify({ keys })
const kids = (json: string): ReadonlyArray<string | null> | null =>
  keysOfSet(json)?.map(one => one.kid) ?? null
/** The same modulus under another exponent. */
const exponent = (value: string): JsonWebKey => ({ ...jwk, e: value })

describe('the key set of the chat issuer', () => {
  it('gives the keys that RS256 may be verified with, by their kid', () => {
    deepEqual(kids(set({ ...jwk, kid: 'a', use: 'sig', alg: 'RS256' }, { ...jwk, kid: 'b' }, jwk)), [
      'a',
      'b',
      null,
    ])
    equal(keysOfSet(set({ ...jwk, kid: 'a' }))?.[0]?.key.equals(strong), true)
  })

  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  const passedOver: ReadonlyArray<readonly [string, unknown]> = [
    ['a key for encryption', { ...jwk, use: 'enc' }],
    ['a key for another algorithm', { ...jwk, alg: 'PS256' }],
    ['a key that may only sign', { ...jwk, key_ops: ['sign'] }],
    ['a key of 1024 bits', weak.export({ format: 'jwk' })],
    ['an exponent of 1', exponent('AQ')],
    ['an even exponent', exponent('AQAC')],
    ['a huge exponent', exponent(Buffer.alloc(40, 0xff).toString('base64url'))],
    ['an elliptic key', ec],
    ['a secret', { kty: 'oct', k: 'c2VjcmV0' }],
    ['a modulus that is no number', { ...jwk, n: 7 }],
    ['a kid that is no text', { ...jwk, kid: 7 }],
    ['nothing', null],
  ]
  for (const [what, entry] of passedOver)
    it(`passes over ${what}`, () => deepEqual(kids(set(entry, { ...jwk, kid: 'good' })), ['good']))

  it('is believed where it lists no key, or keys of other kinds alone', () => {
    deepEqual([keysOfSet(set()), keysOfSet(set(ec, null))], [[], []])
  })

  it('is not a set where nothing that it lists is a key', () => {
    for (const odd of [[[[]]], [null], [7, 'x'], [{}], [{ kty: 7 }]]) equal(keysOfSet(set(...odd)), null)
  })

  it('is not a set where it is no JSON object with keys', () => {
    for (const text of ['', 'no', '[]', '{}', '{"keys": 7}', '{"keys": {}}']) equal(keysOfSet(text), null)
  })
})

describe('the key of the game', () => {
  const documents: ReadonlyArray<readonly [string, string]> = [
    ['PEM', strong.export({ type: 'spki', format: 'pem' }).toString()],
    ['PEM of PKCS #1', strong.export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['JWK', JSON.stringify(jwk)],
  ]
  for (const [form, text] of documents)
    it(`is read as ${form}`, () => equal(keyOfDocument(`\n${text}\n`)?.key.equals(strong), true))

  it('may be weak, or for PSS alone: who verifies judges that', () => {
    const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048, publicExponent: 65_537 }).publicKey
    for (const key of [weak, pss]) {
      const read = keyOfDocument(key.export({ type: 'spki', format: 'pem' }).toString())
      equal(read === null ? null : isStrong(read.key), false)
    }
    equal(isStrong(strong), true)
  })

  it('is none where the document holds a private key, another kind, or nothing of the sort', () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    for (const text of [
      pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      elliptic.export({ type: 'spki', format: 'pem' }).toString(),
      JSON.stringify(elliptic.export({ format: 'jwk' })),
      '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
      '<html>502</html>',
      '{"kty": "RSA"',
      '',
    ])
      equal(keyOfDocument(text), null)
  })

  it('has no private part even where its JWK does', () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const read = keyOfDocument(JSON.stringify(pair.privateKey.export({ format: 'jwk' })))
    deepEqual([read?.key.type, read?.key.equals(createPublicKey(pair.privateKey))], ['public', true])
  })
})

import { equal, notEqual } from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { ed25519Signer, verifyJws } from '#src/adapters/jose.js'
import { keysOfSet } from '#src/domain/identity/credentials/key-documents.js'
import { verifyIdToken } from '#src/http/credentials/authenticate.js'
import type { ChatSignIn } from '#src/ports/identity.js'
import { jwkOf } from '#test/support/chat/chat-issuer.js'
import { linkedChat } from '#test/support/chat/chat-node.js'
import {
  claims,
  ellipticKey,
  es256,
  evil,
  macWith,
  pss,
  texts,
  tokenWithClaims,
  tokenWithHeader,
  tokenWithoutSignature,
} from '#test/support/identity/forged-tokens.js'
import { clientId, encodeJson, issuer, issuerKey, signText } from '#test/support/identity/id-tokens.js'

const rules = { issuer, clientId }

/** Chat sign-in over the key set that the issuer publishes. */
const over = (...keys: ReadonlyArray<object>): ChatSignIn => ({
  rules,
  verified: () => undefined,
  keysBy: kid => {
    const set = keysOfSet(JSON.stringify({ keys }))
    if (set === null) return Promise.resolve(left({ _tag: 'KeysAway', why: 'unreachable' }))
    const named = kid === null ? set : set.filter(one => one.kid === kid)
    return Promise.resolve(right(named.map(({ key }) => ({ alg: 'RS256', key }))))
  },
  verify: verifyJws,
})

const ours = over(jwkOf('first'), jwkOf('ec', ellipticKey().publicKey))

/** The account that a token signs in; null: nobody. */
const bearer = async (token: string, chat = ours): Promise<string | null> => {
  const read = await verifyIdToken(token, rules, chat, Date.now())
  return isLeft(read) ? null : read.right.subject
}

const none = async (token: string, what?: unknown): Promise<void> =>
  equal(await bearer(token), null, String(what))

const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()

describe('RFC 8725 of id tokens', () => {
  it('takes a good token', async () => equal(await bearer(tokenWithHeader({})), linkedChat))

  it('3.1 verifies with the one algorithm of the key, and never asks the token for it', async () => {
    for (const alg of ['none', 'None', 'RS384', 'RS512', 'PS256', 'rs256', 'RS256 ', '', null, ['RS256']])
      await none(tokenWithHeader({ alg }), alg)
    await none(tokenWithHeader({ alg: 'RS256' }, issuerKey().privateKey, 'sha512'))
    await none(tokenWithoutSignature('none'))
    await none(pss())
    await none(es256())
  })

  it('3.2 takes no HMAC keyed with what is published, and no algorithm that is out of use', async () => {
    const { publicKey } = issuerKey()
    const jwk = jwkOf('first')
    for (const secret of [pem(publicKey), pem(publicKey).trim(), JSON.stringify(jwk), String(jwk['n'])])
      await none(macWith(secret))
    await none(tokenWithHeader({ alg: 'RS1' }, issuerKey().privateKey, 'sha1'))
    await none(tokenWithHeader({}, issuerKey().privateKey, 'sha1'))
  })

  it('3.3 validates every cryptographic operation: one signature over all of header and claims', async () => {
    const [head = '', body = '', signature = ''] = tokenWithHeader({}).split('.')
    await none(`${head}.${encodeJson({ ...claims(), sub: '700' })}.${signature}`)
    await none(`${encodeJson({ alg: 'RS256', kid: 'first' })}.${body}.${signature}`)
    await none(`${head}.${body}.${'A'.repeat(signature.length - 1)}A`)
    // A JWS in a JWS is no claims, whatever the outer one says.
    const nested = signText(
      encodeJson({ alg: 'RS256', cty: 'JWT' }),
      encodeJson(tokenWithHeader({})),
      issuerKey().privateKey,
    )
    await none(nested)
  })

  it('3.4 takes no key whose parameters are not what RSA needs', async () => {
    const token = tokenWithHeader({})
    for (const other of [{ e: 'AQ' }, { e: 'AA' }, { e: 'AQAC' }, { n: 'AQ' }, { n: '' }, { kty: 'EC' }])
      equal(await bearer(token, over({ ...jwkOf('first'), ...other })), null, JSON.stringify(other))
    const crv = { kty: 'RSA', crv: 'P-256', x: 'AA', y: 'AA', kid: 'first' }
    equal(await bearer(token, over(crv)), null)
  })

  it('3.5 takes no key of less entropy than 2,048 bits give, and no secret that a person thought of', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const token = tokenWithHeader({ kid: 'weak' }, weak.privateKey)
    equal(await bearer(token, over(jwkOf('weak', weak.publicKey))), null)
    const oct = { kty: 'oct', alg: 'HS256', kid: 'first', k: encodeJson('hasło') }
    equal(await bearer(macWith('hasło'), over(oct)), null)
  })

  it('3.6 takes no compressed claims', async () => {
    const packed = deflateRawSync(JSON.stringify(claims())).toString('base64url')
    const header = encodeJson({ alg: 'RS256', kid: 'first', zip: 'DEF' })
    await none(signText(header, packed, issuerKey().privateKey))
  })

  it('3.7 reads UTF-8 alone', async () => {
    const text = JSON.stringify({ ...claims(), name: 'gęś' })
    const signed = (bytes: Buffer): string =>
      signText(
        encodeJson({ alg: 'RS256', kid: 'first' }),
        bytes.toString('base64url'),
        issuerKey().privateKey,
      )
    equal(await bearer(signed(Buffer.from(text))), linkedChat)
    await none(signed(Buffer.from(text, 'utf16le')))
    await none(signed(Buffer.from(text, 'latin1')))
    await none(texts(null, `\ufeff${text}`))
  })

  it('3.8 takes the keys of its issuer for its issuer, and somebody for subject', async () => {
    for (const iss of [
      `${issuer}/`,
      issuer.toUpperCase(),
      issuer.replace('https', 'http'),
      '',
      undefined,
      [issuer],
    ])
      await none(tokenWithClaims({ iss }), iss)
    for (const sub of ['', undefined, null, 700, [linkedChat]]) await none(tokenWithClaims({ sub }), sub)
  })

  it('3.9 takes its own audience alone', async () => {
    for (const aud of [
      `${clientId} `,
      'other',
      '',
      undefined,
      [],
      [clientId, 'other'],
      { 0: clientId, length: 1 },
    ])
      await none(tokenWithClaims({ aud }), aud)
    equal(await bearer(tokenWithClaims({ aud: [clientId] })), linkedChat)
    await none(tokenWithClaims({ azp: 'other' }))
  })

  it('3.10 believes nothing of the header but a kid that is looked up', async () => {
    const jwk = jwkOf('evil')
    const x5c = [pem(issuerKey('evil').publicKey).replace(/-----.*-----|\n/g, '')]
    const x5t = createHash('sha1').update(x5c.join()).digest('base64url')
    for (const extra of [
      { jwk },
      { jku: 'http://127.0.0.1:9/' },
      { x5u: 'http://127.0.0.1:9/' },
      { x5c, x5t },
    ]) {
      await none(evil(extra), Object.keys(extra))
      await none(tokenWithHeader(extra), Object.keys(extra))
    }
    for (const kid of ['../../dev/null', "' OR 1=1 --", '__proto__', 'constructor', '', 7, null, ['first']])
      await none(tokenWithHeader({ kid }), kid)
    for (const extra of [{ crit: ['exp'] }, { crit: [] }, { b64: false }, { b64: true }])
      await none(tokenWithHeader(extra))
  })

  it('3.11 takes no explicit type of another kind of token', async () => {
    for (const typ of [
      'at+jwt',
      'application/at+jwt',
      'logout+jwt',
      'fsess+jwt',
      'secevent+jwt',
      'JWE',
      'JWS',
      '',
    ])
      await none(tokenWithHeader({ typ }), typ)
    for (const typ of [undefined, 'JWT', 'jwt']) notEqual(await bearer(tokenWithHeader({ typ })), null, typ)
  })

  it('3.12 has rules that a fleet token and a logout token break, each alone enough', async () => {
    const host = generateKeyPairSync('ed25519')
    const fleet = await ed25519Signer(host.privateKey)({ typ: 'fsess+jwt', kid: 'first' }, claims())
    await none(fleet)
    equal(await bearer(fleet, over(jwkOf('first', host.publicKey))), null)
    await none(tokenWithHeader({ typ: 'fsess+jwt' }))
    await none(tokenWithClaims({ aud: 'kronika:fleet' }))
    await none(tokenWithClaims({ iss: 'Arkadia' }))
    await none(tokenWithClaims({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }))
  })

  it('is not so for want of a good key: other claims beside the good ones change nothing', async () => {
    equal(await bearer(tokenWithClaims({ name: 'gęś', amr: ['pwd'], azp: clientId })), linkedChat)
    equal(await bearer(evil({ kid: 'first' })), null)
  })
})

import { equal, notEqual } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'mocha'
import { fleetResolver } from '#src/http/credentials/authenticate.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { nowMs } from '#test/support/front.js'
import {
  encodeSegment,
  fleetWorld,
  keysFile,
  publishedKeyOf,
  signCompact,
  testHost,
  xOf,
} from '#test/support/identity/fleet.js'
import { arkadiaBeside, fleetBearerOf } from '#test/support/identity/fleet-bearer.js'

const other = testHost('Bergen')
const stranger = testHost('Arkadia')
const { host, world, header, claims, signedHere } = arkadiaBeside([other])

/** Who a token makes its bearer, where none was seen before. */
const bearer = (jws: string, snapshot: Snapshot = world) => fleetBearerOf()(jws, snapshot)

const hmacBy = (secret: string, head: unknown): string => {
  const input = `${encodeSegment(head)}.${encodeSegment(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

describe('RFC 8725 of fleet tokens', () => {
  it('takes a good token', async () => equal(await bearer(signedHere(header, claims)), 'Brzoza'))

  it('3.1 verifies with the algorithm of the published key and no other', async () => {
    for (const alg of ['none', 'None', 'nOnE', '', 'ES256', 'RS256', 'Ed25519', 'eddsa', ['EdDSA']])
      equal(await bearer(signedHere({ ...header, alg }, claims)), null, String(alg))
    equal(await bearer(`${encodeSegment({ ...header, alg: 'none' })}.${encodeSegment(claims)}.`), null)
    // The rule refuses it by itself: a verifier that believes everything is not even asked.
    const believing = fleetResolver(() => Promise.resolve(true))
    const token = `fsess_${signedHere({ ...header, alg: 'RS256' }, claims)}`
    equal(await believing(token, world, nowMs), null)
  })

  it('3.2 takes no HMAC keyed with what is published', async () => {
    const pem = String(host.publicKey.export({ format: 'pem', type: 'spki' }))
    for (const secret of [pem, pem.trim(), xOf(host.publicKey), JSON.stringify(publishedKeyOf(host).jwk)])
      for (const alg of ['HS256', 'EdDSA']) equal(await bearer(hmacBy(secret, { ...header, alg })), null)
  })

  it('3.3 validates every cryptographic operation: one signature over all of header and claims', async () => {
    const [head = '', body = '', signature = ''] = signedHere(header, claims).split('.')
    equal(await bearer(`${head}.${encodeSegment({ ...claims, sub: '200' })}.${signature}`), null)
    equal(await bearer(`${encodeSegment({ ...header, x: 1 })}.${body}.${signature}`), null)
    for (const at of [0, 40, 85]) {
      const flipped = signature[at] === 'A' ? 'Q' : 'A'
      equal(
        await bearer(`${head}.${body}.${signature.slice(0, at)}${flipped}${signature.slice(at + 1)}`),
        null,
      )
    }
    equal(await bearer(`${head}.${body}.${'A'.repeat(86)}`), null)
    // A nested JWS is no claims.
    equal(await bearer(signedHere({ ...header, cty: 'JWT' }, signedHere(header, claims))), null)
  })

  it('3.4 takes no key that is no point, and no signature under it', async () => {
    const zero = { ...publishedKeyOf(host), jwk: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } }
    const small = fleetWorld(keysFile({ epoch: 1, keys: [zero] }))
    equal(await bearer(signedHere(header, claims), small), null)
    const short = { ...zero, jwk: { ...zero.jwk, x: xOf(host.publicKey).slice(1) } }
    equal(await bearer(signedHere(header, claims), fleetWorld(keysFile({ epoch: 1, keys: [short] }))), null)
  })

  it('3.5 knows no key that a person could think of: keys are Ed25519 pairs, and a published secret is burnt', async () => {
    const oct = { ...publishedKeyOf(host), jwk: { kty: 'oct', k: encodeSegment('hasło') } }
    equal(
      await bearer(
        hmacBy('hasło', { ...header, alg: 'HS256' }),
        fleetWorld(keysFile({ epoch: 1, keys: [oct] })),
      ),
      null,
    )
    const jwk = { ...publishedKeyOf(host).jwk, d: String(host.privateKey.export({ format: 'jwk' })['d']) }
    const shown = fleetWorld(
      keysFile({ epoch: 1, keys: [{ ...publishedKeyOf(host), jwk }, publishedKeyOf(other)] }),
    )
    equal(await bearer(signedHere(header, claims), shown), null)
    equal(shown.fleetKeys.findings[0]?.kind, 'FleetKeyPrivate')
  })

  it('3.6 takes no compressed claims', async () => {
    equal(await bearer(signedHere({ ...header, zip: 'DEF' }, 'not json')), null)
    equal(await bearer(`${signedHere(header, claims)}.AAAA.AAAA`), null)
  })

  it('3.7 reads UTF-8 alone', async () => {
    const latin = Buffer.from(JSON.stringify({ ...claims, note: 'gęś' }), 'utf16le').toString('base64url')
    const [head = '', , signature = ''] = signedHere(header, claims).split('.')
    equal(await bearer(`${head}.${latin}.${signature}`), null)
    equal(await bearer(signedHere(header, `\ufeff${JSON.stringify(claims)}`)), null)
  })

  it('3.8 takes a key for its own town, and a person that is known', async () => {
    equal(await bearer(signedHere(header, { ...claims, iss: other.town })), null)
    equal(await bearer(signedHere({ ...header, kid: other.kid }, { ...claims, iss: other.town })), null)
    equal(await bearer(signedHere(header, { ...claims, iss: undefined })), null)
    for (const sub of ['999', '', 'Brzoza', undefined, 100])
      equal(await bearer(signedHere(header, { ...claims, sub })), null, String(sub))
  })

  it('3.9 takes its own audience alone', async () => {
    for (const aud of [
      'kronika',
      'kronika:fleet/',
      '',
      undefined,
      ['kronika:fleet'],
      ['kronika:fleet', 'other'],
    ])
      equal(await bearer(signedHere(header, { ...claims, aud })), null, String(aud))
  })

  it('3.10 believes nothing of the header but a kid that is looked up, and the type', async () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: xOf(stranger.publicKey) }
    for (const extra of [
      { jwk },
      { jku: 'http://127.0.0.1:9/' },
      { x5u: 'http://127.0.0.1:9/' },
      { x5c: [''] },
    ]) {
      equal(await bearer(signCompact(stranger.privateKey, { ...header, ...extra }, claims)), null)
      equal(await bearer(signedHere({ ...header, ...extra }, claims)), null)
    }
    for (const kid of ['../../dev/null', "' OR 1=1 --", '__proto__', 'constructor', '', undefined])
      equal(await bearer(signedHere({ ...header, kid }, claims)), null, String(kid))
    for (const extra of [{ crit: ['exp'] }, { b64: false }])
      equal(await bearer(signedHere({ ...header, ...extra }, claims)), null)
  })

  it('3.11 takes its own type alone', async () => {
    for (const typ of [undefined, 'JWT', 'at+jwt', 'application/fsess+jwt', 'FSESS+JWT', 'fsess+jwt '])
      equal(await bearer(signedHere({ ...header, typ }, claims)), null, String(typ))
  })

  it('3.12 has rules that an id_token breaks in four places, each alone enough', async () => {
    const id = { iss: 'https://chat.example.org', aud: 'client', sub: '100', nonce: 'n' }
    equal(await bearer(signedHere({ alg: 'EdDSA', kid: host.kid, typ: 'JWT' }, { ...claims, ...id })), null)
    equal(await bearer(signedHere({ ...header, typ: 'JWT' }, claims)), null)
    equal(await bearer(signedHere(header, { ...claims, iss: id.iss })), null)
    equal(await bearer(signedHere(header, { ...claims, aud: id.aud })), null)
    equal(await bearer(signedHere(header, { ...claims, epoch: undefined })), null)
  })

  it('is not so for want of a good token: the same without a fault is taken, signature by signature', async () => {
    notEqual(await bearer(signedHere(header, { ...claims, note: 'x' })), null)
    equal(await bearer(signCompact(stranger.privateKey, header, claims)), null)
  })
})

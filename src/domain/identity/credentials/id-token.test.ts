import { deepEqual, equal } from 'node:assert/strict'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { readIdToken, skewSeconds } from './id-token.js'

const nowMs = Date.parse('2026-06-15T12:00:00Z')
const now = nowMs / 1000
const rules = { issuer: 'https://chat.example', clientId: 'kronika' }

const fine = { iss: rules.issuer, aud: rules.clientId, sub: '700100200300400500', exp: now + 300, iat: now }

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const tokenOf = (claims: object, header: object = {}): string =>
  `${encode({ alg: 'RS256', kid: 'a', ...header })}.${encode(claims)}.AAAA`

const read = (claims: object, header: object = {}) => readIdToken(tokenOf(claims, header), rules, nowMs)

describe('an id token', () => {
  it('names the account, the key, the challenge and its end', () => {
    const refusedFromMs = (fine.exp + skewSeconds) * 1000
    deepEqual(
      read({ ...fine, nonce: 'n' }),
      right({ kid: 'a', subject: fine.sub, nonce: 'n', refusedFromMs }),
    )
    deepEqual(
      read(fine, { kid: undefined }),
      right({ kid: null, subject: fine.sub, nonce: null, refusedFromMs }),
    )
  })

  it('is taken until the moment that it names, and not a millisecond longer', () => {
    for (const exp of [now, now + 0.0004, now - 59.9995]) {
      const token = tokenOf({ ...fine, exp })
      const first = readIdToken(token, rules, nowMs)
      if (isLeft(first)) throw new Error(first.left)
      const { refusedFromMs } = first.right
      equal(isLeft(readIdToken(token, rules, refusedFromMs - 1)), false)
      deepEqual(readIdToken(token, rules, refusedFromMs), left('it has expired'))
    }
  })

  const accepted: ReadonlyArray<readonly [name: string, claims: object, header?: object]> = [
    ['an audience in a list of one', { ...fine, aud: [rules.clientId] }],
    ['an azp that is the client', { ...fine, azp: rules.clientId }],
    ['the last second of its life, by the skew', { ...fine, exp: now - skewSeconds + 1 }],
    ['a clock of the issuer that is ahead by the skew', { ...fine, iat: now + skewSeconds }],
    ['a time with a fraction', { ...fine, exp: now + 0.5 }],
    ['no iat', { ...fine, iat: undefined }],
    ['the type JWT', fine, { typ: 'JWT' }],
    ['the type jwt', fine, { typ: 'jwt' }],
  ]
  for (const [name, claims, header] of accepted)
    it(`may have ${name}`, () => equal(isLeft(read(claims, header)), false))

  const aud = '`aud` is not this client alone'
  const exp = '`exp` is not a time'
  const sub = '`sub` is empty or not a text'
  const refused: ReadonlyArray<readonly [name: string, claims: object, why: string]> = [
    ['another issuer', { ...fine, iss: 'https://other.example' }, '`iss` is not the issuer of this host'],
    ['another client', { ...fine, aud: 'other' }, aud],
    ['an audience in other case', { ...fine, aud: 'Kronika' }, aud],
    ['no audience', { ...fine, aud: undefined }, aud],
    ['an empty list of audiences', { ...fine, aud: [] }, aud],
    ['its audience twice', { ...fine, aud: ['kronika', 'kronika'] }, aud],
    ['a second audience, even with our azp', { ...fine, aud: ['kronika', 'x'], azp: 'kronika' }, aud],
    ['a list in a list', { ...fine, aud: [['kronika']] }, aud],
    ['an azp of another', { ...fine, azp: 'other' }, '`azp` is another client'],
    ['an end just past the skew', { ...fine, exp: now - skewSeconds }, 'it has expired'],
    ['an end below zero', { ...fine, exp: -1 }, exp],
    ['an end that is null', { ...fine, exp: null }, exp],
    ['a start that is a text', { ...fine, nbf: '0' }, '`nbf` is not a time'],
    ['a start beyond the skew', { ...fine, nbf: now + skewSeconds + 1 }, '`nbf` is in the future'],
    ['an issue beyond the skew', { ...fine, iat: now + skewSeconds + 1 }, '`iat` is in the future'],
    ['an empty subject', { ...fine, sub: '' }, sub],
    ['a subject that is a number', { ...fine, sub: 700100200300 }, sub],
    ['a subject of 256 letters', { ...fine, sub: 'a'.repeat(256) }, sub],
    ['a nonce that is a number', { ...fine, nonce: 7 }, '`nonce` is not a text'],
    ['events, as a logout token', { ...fine, events: {} }, 'it is a logout token'],
  ]
  for (const [name, claims, why] of refused)
    it(`is refused with ${name}`, () => deepEqual(read(claims), left(why)))

  it('is refused with an algorithm or a type of another kind of token', () => {
    deepEqual(read(fine, { alg: 'EdDSA' }), left('`alg` is not RS256'))
    for (const typ of ['at+jwt', 'logout+jwt', 'JWE', ''])
      deepEqual(read(fine, { typ }), left('`typ` is that of another kind of token'))
  })

  it('never repeats a value of the token in what it says', () => {
    for (const claims of [
      { ...fine, aud: 'CANARY' },
      { ...fine, iss: 'CANARY' },
      { ...fine, exp: 'CANARY' },
    ]) {
      const why = read(claims)
      equal(isLeft(why) && !why.left.includes('CANARY'), true)
    }
  })
})

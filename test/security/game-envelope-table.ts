import { deepEqual, equal, ok } from 'node:assert/strict'
import {
  constants,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  publicDecrypt,
  verify,
} from 'node:crypto'
import { after, before, describe, it, type Suite } from 'mocha'
import type { GameEnvelope } from '#protocol/identity/sign-in.js'
import { nowMs } from '#test/support/front.js'
import { gameKey, signEnvelope, testGameKey } from '#test/support/identity/game-envelopes.js'
import { goodEnvelope, type SignInRig, type StartRig } from '#test/support/identity/game-sign-in-rig.js'
import { isRefused } from './row.js'

const nowS = nowMs / 1000

/** A line of SECURITY 4.2: an envelope, and 200 or the refusal that it must get. */
interface EnvelopeRow {
  readonly id: string
  readonly input: string
  readonly body: unknown
  readonly answer: '200' | `${401 | 400} ${string}`
}

const at = (ts: number | string): GameEnvelope => signEnvelope({ userId: '7001', token: 'zeton', ts })
const parts = (userId: string, token: string): GameEnvelope => signEnvelope({ userId, token, ts: nowS })
const envelopeWithSignature = (signatureBase64: string): GameEnvelope => goodEnvelope({ signatureBase64 })
const { signatureBase64: good = '' } = goodEnvelope()

/** The same bytes with the unused bits of the last character set: 256 bytes end in one byte and `==`. */
const unusedBits = good.replace(
  /(.)==$/,
  (_, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}==`,
)

const rows: ReadonlyArray<EnvelopeRow> = [
  { id: '4.2.1', input: 'ts 301 s ago', body: at(nowS - 301), answer: '401 TimestampOutOfWindow' },
  { id: '4.2.2', input: 'ts 301 s ahead', body: at(nowS + 301), answer: '401 TimestampOutOfWindow' },
  { id: '4.2.3', input: 'ts a float', body: at(nowS + 0.5), answer: '401 TimestampInvalid' },
  { id: '4.2.4a', input: 'ts a word', body: at('teraz'), answer: '401 TimestampInvalid' },
  { id: '4.2.4b', input: 'ts the digits of now', body: at(String(nowS)), answer: '200' },
  { id: '4.2.4c', input: 'ts digits after a zero', body: at(`0${nowS}`), answer: '401 TimestampInvalid' },
  { id: '4.2.4d', input: 'ts digits after a blank', body: at(` ${nowS}`), answer: '401 TimestampInvalid' },
  {
    id: '4.2.4e',
    input: 'ts hexadecimal',
    body: at(`0x${nowS.toString(16)}`),
    answer: '401 TimestampInvalid',
  },
  { id: '4.2.4f', input: 'ts an exponent', body: at('1e9'), answer: '401 TimestampInvalid' },
  { id: '4.2.4g', input: 'ts Arabic digits', body: at('١٧٥٠٠٠٠٠٠٠'), answer: '401 TimestampInvalid' },
  { id: '4.2.5', input: 'ts negative', body: at(-nowS), answer: '401 TimestampInvalid' },
  { id: '4.2.6a', input: 'ts the digits of 2^53', body: at(String(2 ** 53)), answer: '401 TimestampInvalid' },
  {
    id: '4.2.6b',
    input: 'ts the number 2^53, which no body may hold',
    body: at(2 ** 53),
    answer: '400 BodyInvalid',
  },
  {
    id: '4.2.7a',
    input: 'ts missing',
    body: { ...goodEnvelope(), ts: undefined },
    answer: '401 TimestampInvalid',
  },
  { id: '4.2.7b', input: 'ts null', body: { ...goodEnvelope(), ts: null }, answer: '400 BodyInvalid' },
  { id: '4.2.8a', input: 'ts 300 s ago exactly', body: at(nowS - 300), answer: '200' },
  { id: '4.2.8b', input: 'ts 300 s ahead exactly', body: at(nowS + 300), answer: '200' },
  { id: '4.2.9', input: 'a + inside user_id', body: parts('1+2', '3'), answer: '401 SignedPartInvalid' },
  {
    id: '4.2.10',
    input: 'the signature of (`1`,`2+3`) for (`1+2`,`3`)',
    body: { ...parts('1', '2+3'), user_id: '1+2', token: '3' },
    answer: '401 SignedPartInvalid',
  },
  { id: '4.2.11', input: 'a + inside token', body: parts('1', '2+3'), answer: '401 SignedPartInvalid' },
  {
    id: '4.2.12',
    input: 'base64 with unused bits set',
    body: envelopeWithSignature(unusedBits),
    answer: '401 SignatureMalformed',
  },
  {
    id: '4.2.13',
    input: 'base64 of the url alphabet',
    body: envelopeWithSignature(Buffer.alloc(256, 0xfb).toString('base64url')),
    answer: '401 SignatureMalformed',
  },
  {
    id: '4.2.14a',
    input: 'base64 with a newline',
    body: envelopeWithSignature(`${good}\n`),
    answer: '401 SignatureMalformed',
  },
  {
    id: '4.2.14b',
    input: 'base64 without its padding',
    body: envelopeWithSignature(good.replace(/=+$/, '')),
    answer: '401 SignatureMalformed',
  },
  {
    id: '4.2.15a',
    input: 'an empty signature',
    body: envelopeWithSignature(''),
    answer: '401 SignatureMissing',
  },
  {
    id: '4.2.15b',
    input: 'no signature',
    body: { ...goodEnvelope(), signatureBase64: undefined },
    answer: '401 SignatureMissing',
  },
  {
    id: '4.2.16',
    input: 'base64 of 1 MB',
    body: envelopeWithSignature('A'.repeat(1_000_000)),
    answer: '401 SignatureMalformed',
  },
  { id: '4.2.27', input: 'no body', body: {}, answer: '401 EnvelopeIncomplete' },
  { id: '4.2.28', input: 'an empty user_id', body: parts('', 'zeton'), answer: '401 EnvelopeIncomplete' },
  {
    id: '4.2.29',
    input: 'user_id a number',
    body: { ...goodEnvelope(), user_id: 7001 },
    answer: '400 BodyInvalid',
  },
  {
    id: '4.2.30',
    input: 'a token of 1,001 characters',
    body: parts('7001', 'a'.repeat(1_001)),
    answer: '401 SignedPartInvalid',
  },
  {
    id: '4.2.31',
    input: 'another user_id than was signed',
    body: goodEnvelope({ user_id: '7004' }),
    answer: '401 SignatureInvalid',
  },
  {
    id: '4.2.32',
    input: 'another token than was signed',
    body: goodEnvelope({ token: 'inny' }),
    answer: '401 SignatureInvalid',
  },
  {
    id: '4.2.33',
    input: 'another ts than was signed',
    body: goodEnvelope({ ts: nowS + 1 }),
    answer: '401 SignatureInvalid',
  },
  {
    id: '4.2.34',
    input: 'a signature of zeros',
    body: envelopeWithSignature(Buffer.alloc(256).toString('base64')),
    answer: '401 SignatureInvalid',
  },
  {
    id: '4.2.35',
    input: 'a good signature by SHA-512 where SHA-256 is configured',
    body: signEnvelope({ userId: '7001', token: 'zeton', ts: nowS }, undefined, 'sha512'),
    answer: '401 SignatureInvalid',
  },
]

const passes = async (rig: SignInRig, body: unknown, answer: string): Promise<void> => {
  const [reply, attempts] = await rig.attempted(() => rig.post(body))
  const [status = '', error = ''] = answer.split(' ')
  if (status === '200') equal(reply.status, 200, reply.text)
  else isRefused(reply, Number(status), error)
  if (status !== '400') deepEqual(attempts, [status === '200' ? ['accepted', null] : ['refused', error]])
  if (status === '401') equal(reply.headers['www-authenticate'], 'Bearer')
  ok(!reply.text.includes('zeton'), 'the answer repeats what was sent')
}

/** Envelopes and keys of SECURITY 4.2, seen where they are sent. */
export const seeEnvelopes = (start: StartRig): Suite =>
  describe('SECURITY 4.2 game sign-in', () => {
    describe('envelopes', () => {
      let rig: SignInRig
      before(async () => {
        rig = await start()
      })
      after(() => rig.close())
      for (const { id, input, answer, body } of rows)
        it(`${id} | ${input} | ${answer}`, () => passes(rig, body, answer))
    })

    describe('keys', () => {
      const under = async (published: KeyObject, body: GameEnvelope, answer: string): Promise<void> => {
        const rig = await start({ key: published })
        try {
          await passes(rig, body, answer)
        } finally {
          await rig.close()
        }
      }
      const envelopeBy = (key: KeyObject): GameEnvelope =>
        signEnvelope({ userId: '7001', token: 'zeton', ts: nowS }, key)

      for (const [id, bits] of [
        ['4.2.17', 512],
        ['4.2.18', 1024],
      ] as const) {
        const pair = gameKey(bits)
        it(`${id}a | signed by a key of ${bits} bits, while the game has 2048 | 401 SignatureInvalid`, () =>
          under(testGameKey().publicKey, envelopeBy(pair.privateKey), '401 SignatureInvalid'))
        it(`${id}b | signed by the game's key, of ${bits} bits | 401 SigningKeyWeak`, () =>
          under(pair.publicKey, envelopeBy(pair.privateKey), '401 SigningKeyWeak'))
      }

      it('4.2.19 | a signature forged under e=1 | 401 SigningKeyWeak', async () => {
        const { n = '' } = testGameKey().publicKey.export({ format: 'jwk' })
        const published = createPublicKey({ key: { kty: 'RSA', n, e: 'AQ' }, format: 'jwk' })
        // Under e = 1 the signature is the padded digest itself: anybody can write it, and a bare verifier takes it.
        const sound = Buffer.from(good, 'base64')
        const padding = constants.RSA_NO_PADDING
        const padded = publicDecrypt({ key: testGameKey().publicKey, padding }, sound)
        equal(verify('sha256', Buffer.from(`7001+zeton+${nowS}`), published, padded), true)
        await under(published, envelopeWithSignature(padded.toString('base64')), '401 SigningKeyWeak')
      })

      it('4.2.38 | a key for PSS alone | 401 SigningKeyWeak', async () => {
        const { publicKey } = generateKeyPairSync('rsa-pss', { modulusLength: 2048, publicExponent: 65_537 })
        await under(publicKey, goodEnvelope(), '401 SigningKeyWeak')
      })
    })
  })

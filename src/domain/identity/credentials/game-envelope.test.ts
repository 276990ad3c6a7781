import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { GameEnvelope, SignatureDigest } from '#protocol/identity/sign-in.js'
import { signEnvelope, testGameKey } from '#test/support/identity/game-envelopes.js'
import { runsOf } from '#test/support/runs.js'
import { checkEnvelope, type OpenedEnvelope, verifyEnvelope } from './game-envelope.js'

const nowS = 1_750_000_000
const nowMs = nowS * 1000 + 640
const signatureBase64 = Buffer.alloc(256, 7).toString('base64')

const openBody = (body: GameEnvelope): OpenedEnvelope | null => {
  const result = checkEnvelope(body, 300, nowMs)
  return isLeft(result) ? null : result.right
}

/** Parts that like to hold the separator and digits. */
const part = fc.string({ unit: fc.constantFrom('+', '1', '7', 'a', ' ', 'ż', '%2B', '＋'), maxLength: 5 })
const ts = fc.oneof(
  fc.integer({ min: nowS - 310, max: nowS + 310 }),
  fc.integer({ min: nowS - 310, max: nowS + 310 }).map(String),
  part,
  fc.double(),
)
const envelope = fc.record({ user_id: part, token: part, ts, signatureBase64: fc.constant(signatureBase64) })

describe('an envelope of the game', () => {
  it('is refused wherever three pieces are cut into two parts: parts do not shift', () => {
    const pieces = fc.array(part, { minLength: 3, maxLength: 5 })
    fc.assert(
      fc.property(pieces, fc.nat(), (all, at) => {
        const cut = 1 + (at % (all.length - 1))
        const [user_id, token] = [all.slice(0, cut).join('+'), all.slice(cut).join('+')]
        equal(openBody({ user_id, token, ts: nowS, signatureBase64 }), null)
      }),
      { numRuns: runsOf(2_000) },
    )
  })

  it('has signed bytes that read back as its parts, and nothing else', () => {
    fc.assert(
      fc.property(envelope, body => {
        const one = openBody(body)
        if (one === null) return
        deepEqual(one.signed.toString('utf8').split('+'), [body.user_id, body.token, String(body.ts)])
      }),
      { numRuns: runsOf(2_000) },
    )
  })

  it('is taken within the window to both sides, inclusive, and by whole seconds of the clock', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000, max: 1_000 }), fc.boolean(), (offset, asText) => {
        const at = nowS + offset
        const body = { user_id: '1', token: 'a', ts: asText ? String(at) : at, signatureBase64 }
        equal(openBody(body) !== null, Math.abs(offset) <= 300)
      }),
    )
  })

  it('is taken with one text of its signature alone', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.string({ maxLength: 3 }),
        (bytes, more) => {
          const text = Buffer.from(bytes).toString('base64')
          const body = { user_id: '1', token: 'a', ts: nowS }
          deepEqual(openBody({ ...body, signatureBase64: text })?.signature, Buffer.from(bytes))
          const other = `${text}${more}`
          const read = openBody({ ...body, signatureBase64: other })
          if (read !== null) equal(read.signature.toString('base64'), other)
        },
      ),
    )
  })

  for (const digest of ['sha256', 'sha384', 'sha512'] as const satisfies ReadonlyArray<SignatureDigest>)
    it(`is verified by ${digest} where that is configured, and by no other`, () => {
      const body = signEnvelope({ userId: '7001', token: 'żeton', ts: nowS }, undefined, digest)
      const one = openBody(body)
      if (one === null) throw new Error('the envelope is not sound')
      const { publicKey } = testGameKey()
      for (const other of ['sha256', 'sha384', 'sha512'] as const)
        equal(isRight(verifyEnvelope(publicKey, other, one)), other === digest, other)
    })

  it('is refused when one bit of it is another', () => {
    const body = signEnvelope({ userId: '7001', token: 'zeton', ts: nowS })
    const one = openBody(body)
    if (one === null) throw new Error('the envelope is not sound')
    const { publicKey } = testGameKey()
    const flipped = (bytes: Buffer, bit: number): Buffer => {
      const copy = Buffer.from(bytes)
      copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      return copy
    }
    fc.assert(
      fc.property(
        fc.nat(one.signature.length * 8 - 1),
        fc.nat(one.signed.length * 8 - 1),
        (inSignature, inSigned) => {
          const { signature, signed } = one
          ok(
            isLeft(
              verifyEnvelope(publicKey, 'sha256', { ...one, signature: flipped(signature, inSignature) }),
            ),
          )
          ok(isLeft(verifyEnvelope(publicKey, 'sha256', { ...one, signed: flipped(signed, inSigned) })))
        },
      ),
      { numRuns: runsOf(200) },
    )
  })
})

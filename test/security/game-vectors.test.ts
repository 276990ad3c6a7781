import { deepEqual, ok } from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { verifyEnvelope } from '#src/domain/identity/credentials/game-envelope.js'

const Vectors = t.type({
  testGroups: t.array(
    t.type({
      publicKeyPem: t.string,
      tests: t.array(
        t.type({
          tcId: t.number,
          comment: t.string,
          msg: t.string,
          sig: t.string,
          result: t.keyof({ valid: null, invalid: null, acceptable: null }),
        }),
      ),
    }),
  ),
})

const folder = new URL('../../../shared/contracts/wycheproof/', import.meta.url)

/** A signature of every size stands for a signed payload: what is verified are bytes. */
const verifies = (publicKeyPem: string, msg: string, sig: string): boolean =>
  isRight(
    verifyEnvelope(createPublicKey(publicKeyPem), 'sha256', {
      userId: '',
      token: '',
      signed: Buffer.from(msg, 'hex'),
      signature: Buffer.from(sig, 'hex'),
    }),
  )

describe('SECURITY 4.2 game sign-in: the RSA PKCS#1 v1.5 vectors of Wycheproof, BER variants among them', () => {
  for (const bits of [2048, 3072, 4096])
    it(`4.2.20 | rsa_signature_${bits}_sha256 | no invalid one is accepted, every valid one is`, function () {
      const file = new URL(`rsa_signature_${bits}_sha256_test.json`, folder)
      if (!existsSync(file)) {
        process.stdout.write('      the vectors are not beside the project: not run\n')
        this.skip()
      }
      const read = Vectors.decode(JSON.parse(readFileSync(file, 'utf8')))
      if (isLeft(read)) throw new Error('the vectors have another shape')
      const wrong: Array<string> = []
      const count = { valid: 0, invalid: 0, acceptable: 0 }
      for (const { publicKeyPem, tests } of read.right.testGroups)
        for (const { tcId, comment, msg, sig, result } of tests) {
          count[result] += 1
          // `acceptable` is one BER variant that lacks the NULL of its digest: it is refused.
          if (verifies(publicKeyPem, msg, sig) !== (result === 'valid'))
            wrong.push(`${tcId} ${result}: ${comment}`)
        }
      process.stdout.write(
        `      ${count.valid} valid accepted, ${count.invalid} invalid and ${count.acceptable} acceptable refused\n`,
      )
      deepEqual(wrong, [])
      ok(count.valid > 0 && count.invalid > 200)
    })
})

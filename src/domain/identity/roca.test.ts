import { equal } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'mocha'
import { isRoca } from './credentials/key-documents.js'

const encode = (n: bigint): string => {
  const hex = n.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url')
}

/** A power of the base is left by every prime as the generator at fault left it. */
const marked = 65_537n ** 128n

describe('the mark of CVE-2017-15361', () => {
  it('is found, and not where one bit is otherwise', () => {
    equal(isRoca(encode(marked)), true)
    equal(isRoca(encode(marked * 65_537n)), true)
    equal(isRoca(encode(marked ^ 2n)), false)
    equal(isRoca(encode(marked ^ (1n << 1_000n))), false)
  })

  it('is not on keys that are made here, nor on nothing', () => {
    const { n = '' } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
    equal(isRoca(n), false)
    equal(isRoca(''), false)
  })
})

import { equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { tokenCheck, tokenHash } from './credentials/tokens.js'

const token = 'machine-token-of-the-tests'

describe('the check of the machine token', () => {
  it('takes the token alone, the first time and again', () => {
    const isMachine = tokenCheck(tokenHash(token))
    for (let time = 0; time < 3; time += 1) {
      equal(isMachine(`${token.slice(0, -1)}S`), false)
      equal(isMachine(token), true)
    }
  })

  it('takes no other text after it took the token', () => {
    const isMachine = tokenCheck(tokenHash(token))
    equal(isMachine(token), true)
    // `š` ends with the byte of `a` where only the low byte of a character is looked at.
    const near = fc
      .tuple(
        fc.nat(token.length - 1),
        fc.oneof(fc.string({ unit: 'binary', maxLength: 2 }), fc.constant('š')),
      )
      .map(([at, other]) => token.slice(0, at) + other + token.slice(at + 1))
    fc.assert(fc.property(fc.oneof(near, fc.string()), other => equal(isMachine(other), other === token)))
    equal(isMachine(token), true)
  })
})

import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { loginCaller, namedCaller, tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { worldOf } from '#test/support/world.js'

/** SECURITY 4.3.18 without a clock; how long a refusal takes is measured by `npm run bench -- --only refusals`. */
describe('SECURITY 4.3 look-up of a token', () => {
  it('4.3.18 | asks what is kept by the hash of the whole token, and for nothing else', () => {
    const world = worldOf({})
    const asked: Array<string> = []
    const nobody = (hash: string): null => {
      asked.push(hash)
      return null
    }
    const near = ['sess_abcdefghAAAAAAAA', 'named_00ff.abcdefghAAAAAAAA'] as const
    loginCaller(nobody)(near[0], world, 0)
    namedCaller(nobody)(near[1], world, 0)
    deepEqual(
      asked,
      near.map(token => tokenHash(token).toString('hex')),
    )
  })
})

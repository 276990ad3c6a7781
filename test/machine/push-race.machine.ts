import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { race } from '#test/push-race/race.js'

const daemons = 3
const seconds = 20

describe('hosts that push to one remote, a sample of the race', () => {
  it('lose nothing and double nothing, though one is killed and one cut off', async () => {
    const { violations, acked, merges } = await race({ daemons, seconds })
    deepEqual(violations, [])
    ok(acked > (daemons * seconds) / 3, `only ${acked} writes were acknowledged`)
    ok(merges > 0, 'the hosts never met: there was no race')
  })
})

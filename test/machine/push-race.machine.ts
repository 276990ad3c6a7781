import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { race } from '#test/push-race/race.js'

const daemons = 3
const seconds = 20

/** A busy machine writes less in a while than it takes for a race: then one that is twice as long is run. */
const lengths = [1, 2, 4] as const

describe('hosts that push to one remote, a sample of the race', () => {
  for (const sessions of [false, true])
    it(`lose and double nothing, though one is killed and one cut off${sessions ? ', in one file of sessions' : ''}`, async function () {
      this.timeout(900_000)
      let [acked, merges] = [0, 0]
      const isRace = (): boolean => acked > (daemons * seconds) / 3 && merges > 0
      for (const times of lengths) {
        if (isRace()) break
        const run = await race({ daemons, seconds: times * seconds, sessions })
        deepEqual(run.violations, [])
        acked = run.acked
        merges = run.merges
      }
      ok(isRace(), `only ${acked} writes were acknowledged, ${merges} merges made: there was no race`)
    })
})

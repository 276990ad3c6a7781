import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type Outcome, simulate } from './simulate.js'

/** `npm run simulate -- --seeds 10000` runs as many as wanted. */
const seeds = 150
const determinismEvery = 50

const told = ({ seed, violations, tail }: Outcome): string =>
  [...tail, ...violations.slice(0, 5), `npm run simulate -- --seed ${seed}`].join('\n')

describe('hosts under simulation', function () {
  this.timeout(120_000)

  it(`lose and double nothing over ${seeds} seeds`, async () => {
    let [acked, crashes, crashless] = [0, 0, 0]
    for (let seed = 1; seed <= seeds; seed += 1) {
      const outcome = await simulate(seed)
      assert.deepEqual(outcome.violations, [], told(outcome))
      acked += outcome.acked
      crashes += outcome.crashes
      crashless += outcome.crashes === 0 ? 1 : 0
      if (seed % determinismEvery !== 0) continue
      assert.equal((await simulate(seed)).hash, outcome.hash, `seed ${seed} took two ways`)
    }
    assert.ok(acked > 50 * seeds, `only ${acked} writes were acknowledged: the simulation is too harsh`)
    assert.ok(crashes > seeds, `only ${crashes} crashes: the simulation is too kind`)
    assert.ok(crashless > seeds / 10, 'no seed ran without a crash')
  })
})

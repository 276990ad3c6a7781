import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { SimulationOutcome } from '../simulate.js'
import { simulateFleet } from './simulate-fleet.js'

/** `npm run simulate -- --only fleet --seeds 10000` runs as many as wanted. */
const seeds = 12

const describeOutcome = ({ seed, violations, tail }: SimulationOutcome): string =>
  [...tail, ...violations.slice(0, 5), `npm run simulate -- --only fleet --seed ${seed}`].join('\n')

describe('fleets under simulation', function () {
  this.timeout(600_000)

  it(`have one apex, and lose nothing, over ${seeds} seeds of two hours`, async () => {
    const outcomes: Array<SimulationOutcome> = []
    for (let seed = 1; seed <= seeds; seed += 1) {
      const outcome = await simulateFleet(seed)
      assert.deepEqual(outcome.violations, [], describeOutcome(outcome))
      outcomes.push(outcome)
    }
    const [first] = outcomes
    assert.equal((await simulateFleet(1)).hash, first?.hash, 'seed 1 took two ways')
    const sum = (of: (outcome: SimulationOutcome) => number): number =>
      outcomes.reduce((all, one) => all + of(one), 0)
    assert.ok(sum(one => one.jobs) >= seeds / 2, 'few takeovers were merged')
    assert.ok(sum(one => one.converges) > 60 * seeds, 'few converges came to their end')
    assert.ok(
      outcomes.some(one => one.marks.has('two hosts believed to be the apex')),
      'no seed had two hosts that believed to be the apex',
    )
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type SimulationOutcome, simulate } from './simulate.js'
import { marks } from './trace.js'

/** `npm run simulate -- --seeds 10000` runs as many as wanted. */
const seeds = 60
const determinismEvery = 30

const describeOutcome = ({ seed, violations, tail }: SimulationOutcome): string =>
  [...tail, ...violations.slice(0, 5), `npm run simulate -- --seed ${seed}`].join('\n')

describe('hosts under simulation', () => {
  it(`lose and double nothing over ${seeds} seeds`, async () => {
    const outcomes: Array<SimulationOutcome> = []
    for (let seed = 1; seed <= seeds; seed += 1) {
      const outcome = await simulate(seed)
      assert.deepEqual(outcome.violations, [], describeOutcome(outcome))
      outcomes.push(outcome)
      if (seed % determinismEvery !== 0) continue
      assert.equal((await simulate(seed)).hash, outcome.hash, `seed ${seed} took two ways`)
    }
    const sum = (of: (outcome: SimulationOutcome) => number): number =>
      outcomes.reduce((all, one) => all + of(one), 0)
    assert.ok(sum(one => one.acked) > 50 * seeds, 'few writes were acknowledged: the simulation is too harsh')
    assert.ok(sum(one => one.jobs) > 4 * seeds, 'few jobs were completed')
    assert.ok(sum(one => one.converges) > 20 * seeds, 'few converges came to their end')
    assert.ok(sum(one => one.parked) > seeds, 'few merges conflicted')
    assert.ok(sum(one => one.crashes) > seeds, 'few crashes: the simulation is too kind')
    for (const mark of marks)
      assert.ok(
        outcomes.some(one => one.marks.has(mark)),
        `it never came about that ${mark}`,
      )
    assert.ok(outcomes.filter(one => one.crashes === 0).length > seeds / 10, 'no seed ran without a crash')
  })
})

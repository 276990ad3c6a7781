import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { SimulationOutcome } from '../node/simulate.js'
import { simulateChat } from './simulate-chat.js'

/** `npm run simulate -- --only chat --seeds 10000` runs as many as wanted. */
const seeds = 16

const describeOutcome = ({ seed, violations, tail }: SimulationOutcome): string =>
  [...tail, ...violations.slice(0, 5), `npm run simulate -- --seed ${seed} --only chat`].join('\n')

describe('the chat under simulation', function () {
  this.timeout(120_000)

  it(`enacts and sends once, and loses nothing, over ${seeds} seeds`, async () => {
    const outcomes: Array<SimulationOutcome> = []
    for (let seed = 1; seed <= seeds; seed += 1) {
      const outcome = await simulateChat(seed)
      deepEqual(outcome.violations, [], describeOutcome(outcome))
      outcomes.push(outcome)
    }
    equal((await simulateChat(1)).hash, outcomes[0]?.hash, 'seed 1 took two ways')
    const acked = outcomes.reduce((sum, one) => sum + one.acked, 0)
    ok(acked > 20 * seeds, 'few interactions were accepted: the simulation is too harsh')
    for (const mark of [
      'a replay behind the window was a duplicate',
      'the answer to an accepted interaction was lost',
      'the pipeline found the effect of a host',
      'an attempt followed a crash',
      'a token died before its answer',
      'the outcome of a message stayed unknown',
    ] as const)
      ok(
        outcomes.some(one => one.marks.has(mark)),
        `it never came about that ${mark}`,
      )
  })
})

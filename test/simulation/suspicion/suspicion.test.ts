import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { runSuspicion } from './suspicion.js'
import { countIn, openTally, type SuspicionTally, type TallyKey, tallyKeys } from './tally.js'

/** `npm run simulate -- --only suspicion --seeds 10000` runs as many as wanted. */
const seeds = 60

describe('the suspicion of a live apex', () => {
  const sum: SuspicionTally = openTally()

  it(`makes no host ask for a takeover over ${seeds} seeds of lost messages, delays and pauses`, async () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { violations, tally } = await runSuspicion(seed)
      deepEqual(violations, [], `npm run simulate -- --seed ${seed} --only suspicion`)
      for (const [key, count] of tally) countIn(sum, key, count)
    }
  })

  it('is not vacuous: each rule decides at times, and a host asks where the path was cut for three sweeps', () => {
    const isOptional = (key: TallyKey): boolean => key === 'asks where no other host sees the apex'
    deepEqual(
      tallyKeys.filter(key => !isOptional(key) && sum.get(key) === 0),
      [],
    )
  })

  it('is the same for the same seed', async () => {
    deepEqual(await runSuspicion(7), await runSuspicion(7))
  })
})

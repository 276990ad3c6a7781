import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { darkFleet, townNames, townViewWith } from '#test/support/fleet/topologies.js'
import { cooldownOf } from './cooldown.js'
import { type FailoverInput, whyNoFailover } from './failover.js'
import type { TakeoverFacts } from './takeover-refusals.js'

const inputOf = (self: string, misses: number, change: Partial<TakeoverFacts> = {}): FailoverInput => {
  const apex = townViewWith({ isReachable: false, consecutiveMisses: misses, syncAgeMinutes: null })
  return {
    facts: {
      canActuate: true,
      cooldown: null,
      fleet: darkFleet({ Erathia: apex }),
      self,
      afterSweeps: 3,
      ...change,
    },
    isEnabled: true,
    hasOpenRequest: false,
    isVetoed: false,
  }
}

describe('automatic failover', () => {
  it('is asked for by one candidate after another, a sweep apart', () => {
    const asking = (misses: number) => townNames.filter(name => whyNoFailover(inputOf(name, misses)) === null)
    deepEqual(asking(2), [])
    deepEqual(asking(3), ['Avlee'])
    deepEqual(asking(4), ['Avlee', 'Bracada'])
    deepEqual(asking(99), ['Avlee', 'Bracada', 'Deyja', 'Nighon'])
  })

  it('is asked for by no host that cannot, must not, or need not', () => {
    const input = inputOf('Avlee', 3)
    equal(whyNoFailover({ ...input, isEnabled: false }), 'disabled')
    equal(whyNoFailover({ ...input, hasOpenRequest: true }), 'request_open')
    equal(whyNoFailover({ ...input, isVetoed: true }), 'vetoed')
    equal(whyNoFailover(inputOf('Erathia', 3)), 'no_candidate_here')
    equal(whyNoFailover(inputOf('Avlee', 3, { fleet: null })), 'no_candidate_here')
    equal(whyNoFailover(inputOf('Bracada', 3)), 'too_early')
    equal(whyNoFailover(inputOf('Avlee', 3, { canActuate: false })), 'actuation_unavailable')
    const cooldown = { mrIid: 1, mrUrl: '', endsAtMs: 1 }
    equal(whyNoFailover(inputOf('Avlee', 3, { cooldown })), 'takeover_cooldown')
  })
})

describe('the cooldown of a takeover', () => {
  const takeover = { mrIid: 7, mrUrl: 'https://forge.example', mergedAtMs: 1_000 }
  const day = 86_400_000

  it('S7: begins with its merge and ends after its hours, on one clock', () => {
    deepEqual(cooldownOf(takeover, 24, 1_000), {
      mrIid: 7,
      mrUrl: 'https://forge.example',
      endsAtMs: 1_000 + day,
    })
    equal(cooldownOf(takeover, 24, 999 + day)?.mrIid, 7)
    equal(cooldownOf(takeover, 24, 1_000 + day), null)
    equal(cooldownOf(takeover, 24, -7 * day)?.mrIid, 7)
  })

  it('is none after the flip of a person, nor with 0 hours', () => {
    equal(cooldownOf(null, 24, 0), null)
    equal(cooldownOf(takeover, 0, 1_000), null)
  })
})

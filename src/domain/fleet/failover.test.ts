import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { darkFleet, townNames, townViewWith } from '#test/support/fleet/topologies.js'
import {
  type FailoverInput,
  freshFailover,
  passAsk,
  passLook,
  passSweep,
  type RequestView,
  whyNoFailover,
} from './failover.js'
import { cooldownOf, type TakeoverFacts } from './takeover-refusals.js'

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
    fence: { commit: 'c', blob: 'b' },
    hasActiveJob: false,
    failures: [],
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

  it('takes a missed probe even where no sweep is configured', () => {
    equal(whyNoFailover(inputOf('Avlee', 0, { afterSweeps: 0 })), 'too_early')
    equal(whyNoFailover(inputOf('Avlee', 1, { afterSweeps: 0 })), null)
  })

  it('is asked for by no host that cannot, must not, or need not', () => {
    const input = inputOf('Avlee', 3)
    equal(whyNoFailover({ ...input, isEnabled: false }), 'disabled')
    equal(whyNoFailover({ ...input, hasActiveJob: true }), 'job_active')
    equal(whyNoFailover({ ...input, fence: null }), 'no_candidate_here')
    equal(whyNoFailover(inputOf('Erathia', 3)), 'no_candidate_here')
    equal(whyNoFailover(inputOf('Avlee', 3, { fleet: null })), 'no_candidate_here')
    equal(whyNoFailover(inputOf('Bracada', 3)), 'too_early')
    equal(whyNoFailover(inputOf('Avlee', 3, { canActuate: false })), 'actuation_unavailable')
    const cooldown = { mrIid: 1, mrUrl: '', endsAtMs: 1 }
    equal(whyNoFailover(inputOf('Avlee', 3, { cooldown })), 'takeover_cooldown')
  })
})

describe('automatic failover after a job that failed', () => {
  const whyAfter = (...failures: FailoverInput['failures']) =>
    whyNoFailover({ ...inputOf('Avlee', 3), failures })

  it('is asked for again where the cause can pass by itself', () => {
    equal(whyAfter('timed_out', 'apex_answers', 'remote_failed', 'withdrawn', 'forge_refused'), null)
  })

  it('is over for this version where a person must act', () => {
    for (const failure of ['vetoed', 'foreign_claim', 'conflicting'] as const)
      equal(whyAfter('timed_out', failure), 'job_failed')
  })

  it('rests for more sweeps after each job, and for three at most', () => {
    let memory = freshFailover
    const looks = Array.from({ length: 20 }, () => {
      const passed = passSweep(memory, 'c')
      memory = passed.isDue ? passAsk(passed.memory) : passed.memory
      return passed.isDue ? 'x' : '.'
    })
    equal(looks.join(''), 'xx.x...x...x...x...x')
    equal(passSweep(memory, 'another version').isDue, true)
  })
})

describe('the requests of a takeover at the forge', () => {
  it('hold a host back: one that is open for two looks, one that is merged or vetoed always', () => {
    const asksAfter = (...sights: ReadonlyArray<RequestView>): boolean => {
      let passed = { memory: freshFailover, asks: false }
      for (const sight of sights) passed = passLook(passed.memory, sight)
      return passed.asks
    }
    const open = { seen: 'open', iid: 7 } as const
    equal(asksAfter({ seen: 'none', iid: null }), true)
    equal(asksAfter(open), false)
    equal(asksAfter(open, open), false)
    equal(asksAfter(open, open, open), true)
    equal(asksAfter(open, open, { seen: 'open', iid: 8 }), false)
    equal(asksAfter(open, open, { seen: 'unknown', iid: null }, open), true)
    for (const seen of ['merged', 'vetoed', 'unknown'] as const)
      equal(asksAfter({ seen, iid: 7 }, { seen, iid: 7 }, { seen, iid: 7 }), false)
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

  it('ends at a date that an answer can show, whatever the forge or a commit says of the merge', () => {
    for (const mergedAtMs of [8.64e15, 9.3e21]) {
      const endsAtMs = cooldownOf({ ...takeover, mergedAtMs }, 24, 1_000)?.endsAtMs ?? 0
      equal(new Date(endsAtMs).toISOString(), '9999-12-31T23:59:59.999Z')
    }
  })

  it('is none after the flip of a person, nor with 0 hours', () => {
    equal(cooldownOf(null, 24, 0), null)
    equal(cooldownOf(takeover, 0, 1_000), null)
  })
})

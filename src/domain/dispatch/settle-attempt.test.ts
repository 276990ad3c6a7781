import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { failedAnswer, findCutOff, settleAttempt } from './settle-attempt.js'

const rules = { attemptsMax: 3, nowMs: 1_000, chance: 0 }
const failed = { _tag: 'Failed', reason: 'the remote is away' } as const

describe('the settlement of an attempt', () => {
  it('repeats a failure behind growing pauses and then keeps its reason', () => {
    const due = [1, 2].map(attempt => {
      const settled = settleAttempt({ attempt }, failed, rules)
      return settled._tag === 'Defer' && settled.isCounted ? settled.dueMs : null
    })
    deepEqual(due, [2_000, 3_000])
    deepEqual(settleAttempt({ attempt: 3 }, failed, rules), {
      _tag: 'End',
      end: { state: 'failed', reason: 'the remote is away', answer: failedAnswer },
    })
    const shortened = settleAttempt({ attempt: 1 }, failed, { ...rules, chance: 0.999 })
    equal(shortened._tag === 'Defer' && shortened.dueMs, 1_500)
  })

  it('lets a held interaction wait without the use of an attempt', () => {
    deepEqual(settleAttempt({ attempt: 3 }, { _tag: 'Held', reason: 'closed' }, rules), {
      _tag: 'Defer',
      dueMs: 6_000,
      isCounted: false,
      reason: 'closed',
    })
  })

  it('ends with the answer of an enactment and of a refusal', () => {
    const enacted = settleAttempt({ attempt: 1 }, { _tag: 'Enacted', answer: 'Gotowe.' }, rules)
    deepEqual(enacted, { _tag: 'End', end: { state: 'enacted', reason: null, answer: 'Gotowe.' } })
    const refused = { _tag: 'Refused', reason: 'no_right', answer: 'Brak prawa.' } as const
    deepEqual(settleAttempt({ attempt: 1 }, refused, rules), {
      _tag: 'End',
      end: { state: 'refused', reason: 'no_right', answer: 'Brak prawa.' },
    })
  })

  it('fails what was cut off in its last attempt', () => {
    equal(findCutOff({ attempt: 3 }, 3), null)
    equal(findCutOff({ attempt: 4 }, 3)?.reason, 'the host ended during attempt 3')
  })
})

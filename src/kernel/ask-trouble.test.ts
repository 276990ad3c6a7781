import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { AskFailure } from './actor/ref.js'
import { askTrouble, explainUnanswered } from './ask-trouble.js'

const actor = 'write-gate'
const failures: ReadonlyArray<AskFailure> = [
  { _tag: 'Full', actor },
  { _tag: 'Gone', actor },
  { _tag: 'Undecodable', actor },
  { _tag: 'Faulted', actor },
  { _tag: 'Timeout', actor },
]

describe('what a caller is told where an actor gives no answer', () => {
  it('has other words for a full mailbox, a restart, a fault and a slow answer, and names the part', () => {
    const said = failures.map(failure => askTrouble('the write gate', failure))
    equal(new Set(said).size, failures.length)
    for (const text of said) ok(text.includes('the write gate'), text)
    const unavailable = { _tag: 'Unavailable', actor, retryAfterMs: 100 } as const
    equal(askTrouble('the write gate', unavailable), said[1])
  })

  it('advises by what the actor may have done: after a fault or a timeout it may have carried the message out', () => {
    const advice = { mayHaveActed: 'read', didNothing: 'send again' }
    deepEqual(
      failures.map(failure => explainUnanswered('the write gate', failure, advice)),
      ['send again', 'send again', 'send again', 'read', 'read'].map(
        (next, at) => `${askTrouble('the write gate', failures[at] ?? { _tag: 'Gone', actor })}; ${next}`,
      ),
    )
  })
})

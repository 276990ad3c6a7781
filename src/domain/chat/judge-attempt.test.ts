import { deepEqual, equal } from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it } from 'mocha'
import type { ChatFailure } from '#protocol/chat/platform.js'
import { runsOf } from '#test/support/runs.js'
import {
  type AttemptVerdict,
  attemptSpanMs,
  deliveryLifeMs,
  holdMs,
  judgeAttempt,
  nonceMemoryMs,
  whyNotAttempted,
} from './attempts.js'
import * as say from './failures.js'

const delivery: Parameters<typeof whyNotAttempted>[0] = {
  category: 'sesje',
  channel: 'kanał',
  attempts: 1,
  queuedMs: 0,
  doubtSinceMs: null,
  code: null,
  detail: null,
}

const judge = (failure: ChatFailure, changes: Partial<typeof delivery> = {}): AttemptVerdict =>
  judgeAttempt({ ...delivery, doubtSinceMs: 1_000, ...changes }, { _tag: 'Failed', failure }, 1_000, 2_000)

const shortOf = (verdict: AttemptVerdict): ReadonlyArray<unknown> =>
  verdict._tag === 'Wait'
    ? [verdict.holds, verdict.untilMs, verdict.doubtSinceMs, verdict.code]
    : [verdict._tag]

describe('an attempt to send a message', () => {
  const rows: ReadonlyArray<readonly [what: string, failure: ChatFailure, short: ReadonlyArray<unknown>]> = [
    ['a channel without rights', say.chatRefused(403, 50_001), ['channel', 2_000 + holdMs, null, 50_001]],
    ['a channel that is gone', say.chatRefused(404, 10_003), ['channel', 2_000 + holdMs, null, 10_003]],
    ['a refused client', say.chatRefused(403, 40_333, true), ['all', 2_000 + holdMs, null, 40_333]],
    ['a page of a firewall', say.chatRefused(404, null, true), ['all', 2_000 + holdMs, null, null]],
    ['a refused message', say.chatRefused(400, 50_006), ['Refused']],
    [
      'a refused message behind an attempt without answer',
      say.withDoubt(say.chatRefused(400, 50_006)),
      ['Unknown'],
    ],
    ['a refused token', say.tokenRefused(600_000), ['all', 602_000, null, null]],
    ['no token', say.noBotToken, ['all', 2_000 + holdMs, null, null]],
    ['a limit that the platform names', say.rateLimited(3_600_000), ['message', 3_602_000, null, null]],
    ['a wait with a fraction', say.rateLimited(1_999.25), ['message', 4_000, null, null]],
    ['a courier that is full', say.courierBusy, ['message', 3_000, null, null]],
    ['no answer', say.noAnswer('timeout'), ['message', 7_000, 1_000, null]],
    ['an answer against the contract', say.badAnswer('{}'), ['message', 3_000, 1_000, null]],
    [
      'a limit after an attempt without answer',
      say.withDoubt(say.rateLimited(9_000)),
      ['message', 11_000, 1_000, null],
    ],
  ]
  for (const [what, failure, short] of rows)
    it(`is followed by: ${what}`, () => deepEqual(shortOf(judge(failure)), short))

  it('holds the channel that the guild does not have, and says which', () => {
    const verdict = judgeAttempt(delivery, { _tag: 'NoChannel', found: { _tag: 'Missing' } }, 1, 2)
    equal(
      verdict._tag === 'Wait' && verdict.holds === 'channel' && verdict.detail.includes('sesje/kanał'),
      true,
    )
  })

  it('reports a refused message whose earlier attempt has no answer', () => {
    equal(judge(say.chatRefused(400, 50_006), { doubtSinceMs: 500 })._tag, 'Unknown')
    equal(judge(say.chatRefused(400, 50_006), { doubtSinceMs: 1_000 })._tag, 'Refused')
  })

  it('reports a message whose nonce would be forgotten at the next attempt', () => {
    equal(judge(say.withDoubt(say.rateLimited(90_000)))._tag, 'Unknown')
    const doubted = { ...delivery, doubtSinceMs: 10_000 }
    const lastMs = 10_000 + nonceMemoryMs - attemptSpanMs
    equal(whyNotAttempted(doubted, lastMs), null)
    equal(whyNotAttempted(doubted, lastMs + 1)?._tag, 'Unknown')
    equal(whyNotAttempted(doubted, 9_999)?._tag, 'Unknown', 'the clock was set back')
  })

  it('refuses a message that has waited for a day, with the last reason', () => {
    const old = { ...delivery, detail: 'No token.' }
    equal(whyNotAttempted(old, deliveryLifeMs), null)
    const verdict = whyNotAttempted(old, deliveryLifeMs + 1)
    equal(verdict?._tag === 'Refused' && verdict.detail.includes('No token.'), true)
  })

  it('never lets a message that the platform may have be attempted after its nonce is forgotten', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          say.courierBusy,
          say.badAnswer('{}'),
          say.rateLimited(50_000),
          say.tokenRefused(600_000),
        ),
        // A doubt that began with the attempt itself ends with its outcome.
        fc.integer({ min: 1, max: 300_000 }),
        fc.integer({ min: 0, max: 100 }),
        (failure, laterMs, attempts) => {
          const doubted = { ...delivery, attempts, doubtSinceMs: 1_000 }
          const verdict = judgeAttempt(doubted, { _tag: 'Failed', failure }, 1_000 + laterMs, 1_000 + laterMs)
          return verdict._tag !== 'Wait' || verdict.untilMs + attemptSpanMs <= 1_000 + nonceMemoryMs
        },
      ),
      { numRuns: runsOf(200) },
    )
  })
})

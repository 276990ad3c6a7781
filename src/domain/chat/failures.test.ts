import { ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { badAnswer, chatRefused, rateLimited } from './failures.js'

describe('the wait that a failure names', () => {
  it('has no second more for the rounding error of a difference of times', () => {
    const nowMs = 1_000_000.4
    const waitMs = nowMs + 3_600_000 - nowMs
    ok(waitMs > 3_600_000)
    ok(rateLimited(waitMs).detail.includes(' 3600 s '))
    ok(rateLimited(3_599_001).detail.includes(' 3600 s '))
    ok(rateLimited(3_600_001).detail.includes(' 3601 s '))
  })
})

describe('the words of a failure', () => {
  for (const [what, { detail }, words] of [
    ['429', rateLimited(5_000), 'too many requests (429)'],
    ['40333', chatRefused(403, 40_333, true), 'refuses this host as a client, whatever the channel'],
    ['a page in place of a refusal', chatRefused(403, null, true), 'The answer is a web page'],
    ['a page in place of an answer', badAnswer('<html>'), 'A web page came in place of the answer'],
    ['another answer', badAnswer('{}'), 'does not match its contract'],
    ['a channel', chatRefused(403, 50_001), 'Check the rights of the bot'],
  ] as const)
    it(`name the cause: ${what}`, () => ok(detail.includes(words), detail))
})

import { ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { rateLimited } from './failures.js'

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

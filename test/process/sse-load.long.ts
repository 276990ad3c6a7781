import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sseLoad } from '#test/bench/sse-load.js'

describe('the live stream under load', () => {
  it('closes who reads nothing, holds little for them, and gives everybody every event', async () => {
    const { moreBytes, head, ...figures } = await sseLoad({
      clients: 16,
      stalled: 2,
      events: 240,
      eventBytes: 60_000,
    })
    deepEqual(figures, { closedAsSlow: 2, openAtTheEnd: 14, faults: 0, missing: 0 })
    ok(head >= 240)
    ok(moreBytes < 48 * 1024 * 1024, `${Math.round(moreBytes / 1024)} KiB more`)
  })
})

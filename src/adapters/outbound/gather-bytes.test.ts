import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { gatherBytes } from './exchange.js'

describe('the bytes of a body that comes in pieces', () => {
  it('are those that came, in their order', () => {
    for (const count of [0, 1, 1_023, 1_024, 1_025, 5_000]) {
      const pieces = Array.from({ length: count }, (_, at) => Buffer.from(`${at},`))
      const bytes = gatherBytes()
      for (const piece of pieces) bytes.add(piece)
      const whole = Buffer.concat(pieces)
      deepEqual(bytes.joined(), whole)
      equal(bytes.lengthBytes(), whole.length)
    }
  })

  it('are in few Buffers, although each came in one of its own', () => {
    const bytes = gatherBytes()
    for (let at = 0; at < 500_000; at += 1) bytes.add(Buffer.alloc(1, at))
    ok(bytes.held() < 2_048, `${bytes.held()} Buffers`)
  })
})

import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { inversions } from './writes.js'

const ack = (commit: string, answeredMs: number) => ({ askedMs: 0, answeredMs, commit })

describe('the order of answers against the order of history', () => {
  it('is the same, has turned pairs, or names commits that are not one each', () => {
    equal(inversions(['a', 'b', 'c'], [ack('b', 2), ack('a', 1), ack('c', 3)]), 0)
    equal(inversions(['a', 'b', 'c'], [ack('b', 1), ack('a', 2), ack('c', 3)]), 1)
    equal(inversions(['a', 'b'], [ack('a', 1), ack('a', 2)]), Number.NaN)
    equal(inversions(['a'], [ack('x', 1)]), Number.NaN)
  })
})

import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { runsOf } from '#test/support/runs.js'
import { atOnce, mapInSlices, sortInSlices } from './sliced.js'

describe('work that rests', () => {
  it('sorts as a stable sort at one go does', () => {
    const items = fc.array(fc.record({ key: fc.nat(20) }), { maxLength: 5_000, size: 'max' })
    fc.assert(
      fc.property(items, list => {
        const numbered = list.map(({ key }, at) => ({ key, at }))
        const order = (left: { key: number }, right: { key: number }): number => left.key - right.key
        deepEqual(atOnce(sortInSlices(numbered, order)), [...numbered].sort(order))
      }),
      { numRuns: runsOf(30) },
    )
  })

  it('makes a list of each item in order', () => {
    const items = Array.from({ length: 200 }, (_, at) => at)
    deepEqual(
      atOnce(mapInSlices(items, at => at * 2)),
      items.map(at => at * 2),
    )
  })
})

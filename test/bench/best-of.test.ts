import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { bestOf, measureUntilHeld, withFloor } from './best-of.js'
import { type Figure, figureAtLeast, figureAtMost, figureWithoutBar, holds } from './figure.js'

const ratio = (seen: number): Figure => figureAtLeast('ratio', 'x', 0.8, seen)
const cost = (seen: number): Figure => figureAtMost('cost', '%', 5, seen)

const measure = (values: ReadonlyArray<number>) => {
  let at = 0
  return {
    count: () => at,
    next: () => {
      at += 1
      return Promise.resolve([ratio(values[at - 1] ?? Number.NaN)])
    },
  }
}
const bounds = { most: 3, limitMs: 100, monotonicMs: () => 0 }

describe('the best of several measurements', () => {
  it('judges ratios and counts by 0.85 of their bar, and no times or memory', () => {
    deepEqual(
      [
        ratio(0.69),
        ratio(0.67),
        cost(5.8),
        cost(5.9),
        figureAtMost('time', 'ms', 1, 50),
        figureAtMost('files', 'files', 0, 1),
      ].map(figure => holds(withFloor(figure))),
      [true, false, true, false, true, false],
    )
    equal(withFloor(figureAtMost('time', 'ms', 1, 50)).bar, null)
  })

  it('takes the highest of what must reach a bar, the lowest of what may not exceed one, and the last of the rest', () => {
    const best = bestOf([
      [ratio(0.5), cost(7), figureWithoutBar('load', 'processes', 1)],
      [ratio(0.9), cost(9), figureWithoutBar('load', 'processes', 2)],
    ])
    deepEqual(
      best.map(({ seen }) => seen),
      [0.9, 7, 2],
    )
  })

  it('measures once where all holds, again where it does not, and at most as often as it may', async () => {
    for (const [values, count, seen] of [
      [[0.7, 0.1, 0.1], 1, 0.7],
      [[0.5, 0.8, 0.1], 2, 0.8],
      [[0.5, 0.6, 0.4], 3, 0.6],
    ] as const) {
      const { next, count: counted } = measure(values)
      const [figure] = await measureUntilHeld(next, bounds)
      deepEqual([counted(), figure?.seen], [count, seen])
    }
  })

  it('begins no attempt after its time', async () => {
    let nowMs = 0
    const { next, count } = measure([0.1, 0.1, 0.1])
    const monotonicMs = (): number => (nowMs += 60)
    await measureUntilHeld(next, { ...bounds, monotonicMs })
    equal(count(), 2)
  })
})

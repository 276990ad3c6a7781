import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import {
  blockRatios,
  figureAtLeast,
  figureAtMost,
  figureTable,
  onMachine,
  quantile,
  verdictOf,
} from './figure.js'

describe('a figure of the bench', () => {
  it('is missed where the median misses the bar by more than the spread, and unsure by less', () => {
    const steady = [1.2, 1.2, 1.21, 1.19, 1.2]
    const wide = [0.8, 1.2, 1.5, 0.9, 1.3]
    deepEqual(
      [
        figureAtMost('a', 'x', 1.3, steady),
        figureAtMost('a', 'x', 1.1, steady),
        figureAtMost('a', 'x', 1.1, wide),
        figureAtLeast('a', 'x', 1.3, steady),
        figureAtLeast('a', 'x', 1.3, wide),
      ].map(verdictOf),
      ['ok', 'MISSED', 'unsure', 'MISSED', 'unsure'],
    )
  })

  it('takes a single sample to be off by 15 %, but not one that counts work', () => {
    deepEqual(
      [
        figureAtMost('a', 'ms', 100, 110),
        figureAtMost('a', 'ms', 100, 130),
        figureAtMost('a', 'files', 0, 1),
        figureAtMost('a', 'ms', 100, Number.NaN),
        figureAtMost('a', 'ms', 100, null),
      ].map(verdictOf),
      ['unsure', 'MISSED', 'MISSED', 'MISSED', ''],
    )
  })

  it('scales the bar of an absolute time by the speed of the machine, and that of a ratio not', () => {
    const slow = [2, 2] as const
    equal(verdictOf(onMachine(figureAtMost('a', 'ms', 100, [190, 190]), slow)), 'ok')
    equal(verdictOf(onMachine(figureAtMost('a', 'ms', 100, [210, 210]), slow)), 'MISSED')
    equal(verdictOf(onMachine(figureAtLeast('a', 'words/s', 100, [51, 51]), slow)), 'ok')
    equal(verdictOf(onMachine(figureAtMost('a', 'x', 1.3, [1.9, 1.9]), slow)), 'MISSED')
    // The machine changed meanwhile: nobody can tell.
    equal(verdictOf(onMachine(figureAtMost('a', 'ms', 100, [160, 160]), [1, 2])), 'unsure')
  })

  it('shows the bar as it was set, and as it is here', () => {
    match(
      figureTable([onMachine(figureAtMost('a', 'ms', 100, [190, 190]), [2, 2])], false),
      /<= 100 ms \(here 200\)/,
    )
  })

  it('has quartiles between its values, and ratios of blocks of turns', () => {
    deepEqual(
      [0, 0.25, 0.5, 1].map(share => quantile([4, 1, 3, 2], share)),
      [1, 1.75, 2.5, 4],
    )
    deepEqual(blockRatios([2, 2, 9, 4, 4], [1, 1, 9, 1, 2], 2), [2, 1.3])
  })
})

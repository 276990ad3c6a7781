import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import {
  type Figure,
  figureAtLeast,
  figureAtMost,
  figureTable,
  figureWithoutBar,
  holds,
  inPairs,
  type Machine,
  median,
  onMachine,
  p99Of,
  ratiosOf,
  spreadOf,
  typicalSlope,
  verdictOf,
  withFloor,
  worstOf,
} from './figure.js'

const machine = (times: number, swing = 0): Machine => ({
  wall: { times, swing },
  processor: { times: times / 2, swing },
})

describe('the spread of rounds', () => {
  it('is none of one round, and of equal ones', () => {
    deepEqual([spreadOf([]), spreadOf([3]), spreadOf([3, 3, 3])], [0, 0, 0])
  })

  it('is the scaled median distance from the median, more of few rounds, and the same with one far out', () => {
    const near = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    ok(Math.abs(spreadOf(near) - (1.4826 * 2 * 9) / 8.2) < 1e-9)
    equal(spreadOf([...near.slice(0, -1), 9_000]), spreadOf(near))
    ok(spreadOf([1, 2, 3]) > spreadOf([1, 2, 3, 1, 2, 3, 1, 2, 3]))
  })
})

describe('the verdict on a figure', () => {
  const rounds = [90, 100, 110]
  const spread = spreadOf(rounds)

  it('is ok up to the bar, unsure up to the spread beyond it, and missed further', () => {
    const verdicts = [100, 100 - spread * 0.9, 100 - spread * 1.1].map(bar =>
      verdictOf(figureAtMost('time', '', bar, rounds)),
    )
    deepEqual(verdicts, ['ok', 'unsure', 'MISSED'])
    const least = [100, 100 + spread * 0.9, 100 + spread * 1.1].map(bar =>
      verdictOf(figureAtLeast('rate', '', bar, rounds)),
    )
    deepEqual(least, ['ok', 'unsure', 'MISSED'])
  })

  it('has no doubt about what is counted, and misses what is no number', () => {
    equal(verdictOf(figureAtMost('commits', '', 0, 1)), 'MISSED')
    for (const seen of [Number.NaN, [1, Number.NaN, 1], []])
      equal(verdictOf(figureAtMost('order', '', 2, seen)), 'MISSED')
  })

  it('is none without a bar, or where nothing was measured', () => {
    equal(verdictOf(figureWithoutBar('load', '', 3)), null)
    equal(verdictOf(figureAtMost('files', '', 0, null)), null)
    ok(holds(figureAtMost('files', '', 0, null)))
  })
})

describe('a figure on a machine', () => {
  const here = (figure: Figure, times: number): number =>
    onMachine(figure, machine(times)).bar?.here ?? Number.NaN

  it('has its bar by the clock of its unit, the other way round for a rate, and as specified for a ratio', () => {
    deepEqual(
      [
        here(figureAtMost('time', 'ms', 100, 1), 2.5),
        here(figureAtMost('work', 'ms of processor', 100, 1), 4),
        here(figureAtLeast('rate', 'words/s of processor', 100, 1), 4),
        here(figureAtMost('ratio', 'x', 100, 1), 4),
        here(figureAtMost('memory', 'MB', 100, 1), 4),
      ],
      [250, 200, 50, 100, 100],
    )
  })

  it('has no bar that is stricter than specified', () => {
    equal(here(figureAtMost('time', 'ms', 100, 1), 0.5), 100)
    equal(here(figureAtLeast('rate', 'words/s of processor', 100, 1), 1), 100)
  })

  it('is unsure beyond three times its bar, as far as the machine is slower still', () => {
    const seen = (ms: number): Figure => onMachine(figureAtMost('time', 'ms', 100, ms), machine(5))
    deepEqual([300, 499, 501].map(ms => verdictOf(seen(ms))), ['ok', 'unsure', 'MISSED'])
  })

  it('swings as the machine did meanwhile, where it depends on the machine', () => {
    const slow = onMachine(figureAtMost('time', 'ms', 100, 210), machine(2, 0.1))
    deepEqual([slow.spread, verdictOf(slow)], [20, 'unsure'])
    equal(onMachine(figureAtMost('ratio', 'x', 2, 2.1), machine(2, 0.1)).spread, 0)
  })
})

describe('a figure on a machine that others use', () => {
  const ratio = (seen: number): Figure => figureAtLeast('ratio', 'x', 0.8, seen)
  const cost = (seen: number): Figure => figureAtMost('cost', '%', 5, seen)

  it('is held to 0.85 of a bar of ratios and counts, and to no time or memory', () => {
    deepEqual(
      [
        ratio(0.69),
        ratio(0.67),
        cost(5.8),
        cost(5.9),
        figureAtMost('time', 'ms', 1, 50),
        figureAtMost('work', 'ms of processor', 1, 50),
        figureAtMost('memory', 'MiB', 1, 50),
        figureAtMost('files', 'files', 0, 1),
      ].map(figure => holds(withFloor(figure))),
      [true, false, true, false, true, true, true, false],
    )
  })

  it('is unsure by the same rule', () => {
    const figure = withFloor(figureAtLeast('ratio', 'x', 0.8, [0.6, 0.67, 0.74]))
    equal(verdictOf(figure), 'unsure')
  })
})

describe('rounds and pairs', () => {
  it('take turns, so that each side is first as often', async () => {
    const order: Array<string> = []
    const side = (name: string, value: number) => () => {
      order.push(name)
      return value
    }
    const pairs = await inPairs(3, side('a', 4), side('b', 2))
    deepEqual(order, ['a', 'b', 'b', 'a', 'a', 'b'])
    deepEqual(ratiosOf(pairs), [2, 2, 2])
  })

  it('show the worst, or the 99th percentile over all, with the spread of rounds', () => {
    const worst = figureAtMost('stall', '', 1, worstOf([1, 2, 9]))
    deepEqual([worst.seen, worst.spread, worst.rounds], [9, spreadOf([1, 2, 9]), 3])
    const calm = Array.from({ length: 100 }, (_, at) => at)
    deepEqual(p99Of([calm, calm.map(ms => ms + 1)]), { seen: 99, each: [99, 100] })
  })

  it('have a median of an even and an odd number, and none where one is no number', () => {
    deepEqual([median([3, 1, 2]), median([4, 1, 2, 3]), median([1, Number.NaN])], [2, 2.5, Number.NaN])
  })

  it('grow by the typical slope, which one outlying reading hardly moves', () => {
    equal(typicalSlope([100, 103, 106, 109]), 3)
    equal(typicalSlope([100, 103, 106, 909, 112]), 3)
  })
})

describe('the table of figures', () => {
  it('shows the bar as specified and as it is here, the spread with its rounds, and the verdict', () => {
    const figures = [
      onMachine(figureAtMost('time', 'ms', 100, [90, 150, 210], 'noted'), machine(2)),
      figureAtMost('commits', '', 0, 0),
    ]
    deepEqual(figureTable(figures).split('\n'), [
      'figure  | bar       | here   | seen   | spread   | ok | note',
      'time    | <= 100 ms | <= 200 | 150 ms | 121 of 3 | ok | noted',
      'commits | <= 0      |        | 0      |             | ok |',
    ])
  })

  it('leaves out columns that no row fills', () => {
    equal(
      figureTable([figureAtMost('commits', 'commits', 0, 1)]).split('\n')[0],
      'figure  | bar          | seen      | ok',
    )
  })
})

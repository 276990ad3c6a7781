import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type FoldStep, foldRefusals, type RefusalFold, refusalFoldRule } from './fold-refusals.js'

const { windowMs, linesPerClient, linesMax } = refusalFoldRule

/** Lines and counts of a burst, the counts of its last window among them. */
const burst = (fold: RefusalFold, steps: ReadonlyArray<FoldStep>, endMs: number) => {
  const folded = [...steps.flatMap(step => step.folded), ...fold.end(endMs)]
  const lines = steps.filter(step => step.hasOwnLine).length
  return { lines, told: folded.length, sum: lines + folded.reduce((sum, { count }) => sum + count, 0) }
}

describe('the fold of refused credentials', () => {
  it('gives 100,000 refusals of one client a few lines and a count of the rest', () => {
    const fold = foldRefusals(refusalFoldRule)
    const steps = Array.from({ length: 100_000 }, (_, at) => fold.add('token', '127.0.0.1', at / 4))
    deepEqual(burst(fold, steps, windowMs), { lines: linesPerClient, told: 1, sum: 100_000 })
  })

  it('bounds the lines and the memory of 100,000 clients over ten windows', () => {
    const fold = foldRefusals(refusalFoldRule)
    const steps = Array.from({ length: 100_000 }, (_, at) => {
      const step = fold.add('token', `client-${at}`, (at * windowMs) / 10_000)
      ok(fold.size() <= linesMax)
      return step
    })
    deepEqual(burst(fold, steps, 10 * windowMs), { lines: 10 * linesMax, told: 10, sum: 100_000 })
  })

  it('counts each kind of credential for itself', () => {
    const fold = foldRefusals(refusalFoldRule)
    for (let at = 0; at < linesPerClient + 2; at += 1)
      for (const kind of ['token', 'game', 'chat'] as const) fold.add(kind, 'a', at)
    deepEqual(
      fold.end(windowMs).map(({ kind, count }) => [kind, count]),
      [
        ['token', 2],
        ['game', 2],
        ['chat', 2],
      ],
    )
  })

  it('leaves another client its own lines beside a loud one', () => {
    const fold = foldRefusals(refusalFoldRule)
    for (let at = 0; at < 1_000; at += 1) fold.add('token', 'loud', 0)
    ok(fold.add('token', 'quiet', 0).hasOwnLine)
  })

  it('tells the count with the first refusal after the window, and has lines again', () => {
    const fold = foldRefusals({ windowMs: 1_000, linesPerClient: 1, linesMax: 10 })
    equal(fold.add('token', 'a', 500).isFirst, true)
    deepEqual(fold.add('token', 'a', 1_499), { folded: [], hasOwnLine: false, isFirst: false })
    deepEqual(fold.add('token', 'a', 9_000), {
      folded: [{ kind: 'token', count: 1, fromMs: 500, toMs: 1_500 }],
      hasOwnLine: true,
      isFirst: true,
    })
    deepEqual(fold.end(9_500), [], 'nothing is left to tell')
  })

  it('ends a window where the clock went back', () => {
    const fold = foldRefusals({ windowMs: 1_000, linesPerClient: 1, linesMax: 10 })
    fold.add('token', 'a', 5_000)
    fold.add('token', 'a', 5_001)
    deepEqual(fold.add('token', 'a', 10).folded, [{ kind: 'token', count: 1, fromMs: 5_000, toMs: 5_000 }])
  })
})

import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { changedByBoth, listedPaths } from './listed-paths.js'

const blob = (digit: string): string => digit.repeat(40)
const listed = (digit: string) => [{ path: 'a.json', mode: '100644', blob: blob(digit) }]

describe('the paths of a commit', () => {
  it('are read from what git prints, folders left out', () => {
    const line = (kind: string, path: string) => `100644 ${kind} ${blob('1')}\t${path}\0`
    deepEqual(listedPaths(line('blob', 'a.json') + line('tree', 'b')), listed('1'))
    deepEqual(listedPaths(''), [])
  })

  it('changed by both are those that neither left as they were, and that differ', () => {
    const both = { path: 'a.json', mode: '100644', base: blob('1'), ours: blob('2'), theirs: blob('3') }
    deepEqual(changedByBoth({ base: listed('1'), ours: listed('2'), theirs: listed('3') }), [both])
    deepEqual(changedByBoth({ base: [], ours: listed('2'), theirs: listed('3') }), [{ ...both, base: null }])
    for (const [base, ours, theirs] of ['112', '121', '122', '111'].map(digits => digits.split('')))
      deepEqual(
        changedByBoth({ base: listed(base ?? ''), ours: listed(ours ?? ''), theirs: listed(theirs ?? '') }),
        [],
      )
    deepEqual(changedByBoth({ base: listed('1'), ours: listed('2'), theirs: [] }), [])
  })
})

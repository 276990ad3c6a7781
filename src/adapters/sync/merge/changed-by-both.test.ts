import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { NamedRow } from '#src/adapters/git/named-folder.js'
import { findChangedByBoth } from './contested-paths.js'

const blob = (digit: string): string => digit.repeat(40)
const rowOf = (path: string, digit: string): NamedRow => ({
  mode: '100644',
  type: 'blob',
  id: blob(digit),
  path,
})
const rowsWith = (digit: string): ReadonlyArray<NamedRow> => [rowOf('a.json', digit)]

describe('the paths that both sides changed', () => {
  it('are those that neither left as they were, and that differ', () => {
    const both = { path: 'a.json', mode: '100644', base: blob('1'), ours: blob('2'), theirs: blob('3') }
    deepEqual(findChangedByBoth({ base: rowsWith('1'), ours: rowsWith('2'), theirs: rowsWith('3') }), [both])
    deepEqual(findChangedByBoth({ base: [], ours: rowsWith('2'), theirs: rowsWith('3') }), [
      { ...both, base: null },
    ])
    for (const [base, ours, theirs] of ['112', '121', '122', '111'].map(digits => digits.split('')))
      deepEqual(
        findChangedByBoth({
          base: rowsWith(base ?? ''),
          ours: rowsWith(ours ?? ''),
          theirs: rowsWith(theirs ?? ''),
        }),
        [],
      )
    deepEqual(findChangedByBoth({ base: rowsWith('1'), ours: rowsWith('2'), theirs: [] }), [])
  })

  it('are found with a look at each row, and not at each pair of rows', () => {
    const count = 2000
    let looks = 0
    const side = (digit: string): ReadonlyArray<NamedRow> =>
      Array.from({ length: count }, (_, at) => ({
        ...rowOf('', digit),
        get path() {
          looks += 1
          return `${at}.json`
        },
      }))
    const changed = findChangedByBoth({ base: side('1'), ours: side('2'), theirs: side('3') })
    equal(changed.length, count)
    ok(looks <= 10 * count, `${looks} looks at ${count} paths`)
  })
})

import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { type Finding, firstFindings, firstOfEachKind } from './finding.js'

const { path } = sourceFile('.svc/roles.json', '')
const findingAt = (line: number): Finding => ({
  kind: 'Odd',
  severity: 'warning',
  file: path,
  line,
  subject: String(line),
  reason: 'x',
  suggestion: null,
})
const lines = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, at) => at + 1)

describe('the first findings of a file', () => {
  for (const count of [0, 1, 100])
    it(`are all of ${count}`, () => {
      deepEqual(firstFindings(lines(count), findingAt), lines(count).map(findingAt))
    })

  it('are a hundred, and one that counts the rest', () => {
    const found = firstFindings(lines(357), findingAt)
    deepEqual(found.slice(0, 100), lines(100).map(findingAt))
    deepEqual([found.length, found[100]?.kind, found[100]?.line], [101, 'Odd', null])
    match(found[100]?.reason ?? '', / 257\.$/)
    equal(found[100]?.severity, 'warning')
  })
})

describe('the first findings of each kind', () => {
  const ofKind = (kind: string, count: number): ReadonlyArray<Finding> =>
    lines(count).map(line => ({ ...findingAt(line), kind }))

  it('are all of a thousand', () => {
    const all = ofKind('Odd', 1000)
    equal(firstOfEachKind(all), all)
  })

  it('are a thousand of each in their order, and one that counts the rest of a kind', () => {
    const [odd, few] = [ofKind('Odd', 2500), ofKind('Few', 3)]
    const found = firstOfEachKind([...odd.slice(0, 1500), ...few, ...odd.slice(1500)])
    deepEqual(found.slice(0, 1003), [...odd.slice(0, 1000), ...few])
    deepEqual([found.length, found[1003]?.kind, found[1003]?.line], [1004, 'Odd', null])
    match(found[1003]?.reason ?? '', / 1500\.$/)
  })
})

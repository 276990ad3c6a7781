import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { formatCount } from './per-value.js'

describe('a counted noun', () => {
  const cases: ReadonlyArray<readonly [number, string]> = [
    [0, 'sesji'],
    [1, 'sesja'],
    [2, 'sesje'],
    [4, 'sesje'],
    [5, 'sesji'],
    [11, 'sesji'],
    [12, 'sesji'],
    [14, 'sesji'],
    [21, 'sesji'],
    [22, 'sesje'],
    [25, 'sesji'],
    [112, 'sesji'],
    [122, 'sesje'],
  ]
  for (const [count, form] of cases)
    it(`takes the form of ${count}`, () => {
      equal(formatCount(count, ['sesja', 'sesje', 'sesji']), `${count} ${form}`)
    })
})

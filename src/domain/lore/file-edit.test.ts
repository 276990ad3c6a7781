import { equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { applySplices, hasOverlap, type Splice } from './file-edit.js'

const at = (from: number, to: number, ...lines: ReadonlyArray<string>): Splice => ({ from, to, lines })

describe('splices', () => {
  const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<Splice>, string]> = [
    ['replace a line', 'a\nb\nc\n', [at(2, 2, 'B')], 'a\nB\nc\n'],
    ['keep the newline of the file', 'a\r\nb\r\n', [at(1, 1, 'A', 'AA')], 'A\r\nAA\r\nb\r\n'],
    ['insert before a line', 'a\nb\n', [at(2, 1, 'x')], 'a\nx\nb\n'],
    ['append', 'a\n', [at(2, 1, 'x')], 'a\nx\n'],
    ['append behind a line without newline', 'a', [at(2, 1, 'x')], 'a\nx\n'],
    ['replace a last line without newline', 'a\nb', [at(2, 2, 'B')], 'a\nB'],
    ['fill an empty file', '', [at(1, 0, 'x')], 'x\n'],
    ['remove lines', 'a\nb\nc\n', [at(1, 2)], 'c\n'],
    ['put down insertions of one place in order', 'a\n', [at(2, 1, 'x'), at(2, 1, 'y')], 'a\nx\ny\n'],
    ['append twice behind no newline', 'a', [at(2, 1, 'x'), at(2, 1, 'y')], 'a\nx\ny\n'],
  ]
  for (const [name, before, splices, after] of cases)
    it(name, () => equal(applySplices(before, splices), after))

  it('overlap where they share a line only', () => {
    equal(hasOverlap(at(2, 3), at(3, 4)), true)
    equal(hasOverlap(at(2, 3), at(4, 4)), false)
    equal(hasOverlap(at(2, 1, 'x'), at(2, 1, 'y')), false)
    equal(hasOverlap(at(2, 1, 'x'), at(1, 2)), true)
  })

  it('do what an array does, and keep every other byte', () => {
    const line = fc.constantFrom('', 'a', 'b ', '\tc')
    fc.assert(
      fc.property(
        fc.array(line),
        fc.nat(12),
        fc.nat(3),
        fc.array(line),
        fc.constantFrom('\n', '\r\n'),
        (lines, start, count, put, newline) => {
          const from = Math.min(start, lines.length) + 1
          const to = Math.min(from - 1 + count, lines.length)
          const text = lines.map(one => one + newline).join('')
          const wanted = [...lines.slice(0, from - 1), ...put, ...lines.slice(to)]
          const end = text === '' ? '\n' : newline
          equal(applySplices(text, [at(from, to, ...put)]), wanted.map(one => one + end).join(''))
        },
      ),
    )
  })
})

import { equal } from 'node:assert/strict'
import fc from 'fast-check'
import { sliceBytes } from './sections.js'

const piece = fc.constantFrom('a', 'ż', '—', '𝔘', '\ud835', '\n', 'zażółć gęślą jaźń '.repeat(90))
const anyText = fc.array(piece, { maxLength: 40 }).map(all => all.join('').toWellFormed())

describe('the text in a range of bytes', () => {
  it('is that of the same range of the bytes', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, one, other) => {
        const places = [0]
        for (const char of text) places.push((places.at(-1) ?? 0) + Buffer.byteLength(char))
        const [from = 0, to = 0] = [places[one % places.length], places[other % places.length]].sort(
          (a = 0, b = 0) => a - b,
        )
        equal(sliceBytes({ text }, from, to), Buffer.from(text).toString('utf8', from, to))
      }),
      { numRuns: 1000 },
    )
  })

  it('is null where the text ends before the range does', () => {
    equal(sliceBytes({ text: 'żółw' }, 0, 8), null)
    equal(sliceBytes({ text: 'żółw' }, 2, 7), 'ółw')
    equal(sliceBytes({ text: '' }, 0, 0), '')
  })
})

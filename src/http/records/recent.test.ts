import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { cacheRecent } from './recent.js'

/** A cached function that boxes its text, and the texts for which it was called. */
const countMakes = (entriesMax: number, charsMax = 100) => {
  const made: Array<string> = []
  const of = cacheRecent(
    text => {
      made.push(text)
      return { of: text }
    },
    { entriesMax, charsMax },
  )
  return { made, of }
}

describe('values that are remembered by their text', () => {
  it('are those of the function, whatever texts come in whatever order', () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.constantFrom('a', 'b', '\ud800')),
    )
    fc.assert(
      fc.property(texts, all => {
        const { of } = countMakes(4, 2)
        for (const text of all) equal(of(text).of, text)
      }),
    )
  })

  it('are made once while the text is asked for again', () => {
    const { made, of } = countMakes(8)
    for (let round = 0; round < 50; round += 1) {
      of('again')
      of(`other ${round}`)
    }
    equal(made.filter(text => text === 'again').length, 1)
    equal(made.length, 51)
  })

  it('leave when others come: no more than the limit are held', () => {
    const { made, of } = countMakes(8)
    for (let nth = 0; nth < 9; nth += 1) of(`text ${nth}`)
    of('text 0')
    deepEqual(made.filter(text => text === 'text 0').length, 2)
  })

  it('are made of the text itself, each time, where half of a surrogate pair has no copy', () => {
    const { made, of } = countMakes(8)
    const half = 'a\ud800'
    equal(of(half).of, half)
    equal(of(half).of, half)
    deepEqual(made, [half, half])
  })

  it('are made each time for a long text', () => {
    const { made, of } = countMakes(8, 4)
    for (const text of ['12345', '12345', '1234', '1234']) of(text)
    deepEqual(made, ['12345', '12345', '1234'])
  })
})

import { deepEqual, equal, throws } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { perValueInSlices } from './per-value.js'

/** Work of three slices that counts them, and how often it was begun. */
const makeCountedWork = () => {
  const counts = { begun: 0, slices: 0 }
  const of = perValueInSlices(function* (key: { readonly name: string }): Sliced<string> {
    counts.begun += 1
    for (let at = 0; at < 3; at += 1) {
      counts.slices += 1
      yield
    }
    return key.name
  })
  return { counts, of }
}

describe('sliced work that is done once for each key', () => {
  const key = { name: 'Rynek' }

  it('is done once for callers who ask at once, and kept for those who ask later', () => {
    const { counts, of } = makeCountedWork()
    const callers = Array.from({ length: 3 }, () => of(key))
    for (const caller of callers) caller.next()
    deepEqual(callers.map(atOnce), ['Rynek', 'Rynek', 'Rynek'])
    equal(atOnce(of(key)), 'Rynek')
    deepEqual(counts, { begun: 1, slices: 3 })
  })

  it('ends for the others when the caller who began it stops', () => {
    const { counts, of } = makeCountedWork()
    const [first, second] = [of(key), of(key)]
    first.next()
    first.return('left')
    equal(atOnce(second), 'Rynek')
    equal(counts.begun, 1)
  })

  it('is done for each key apart', () => {
    const { counts, of } = makeCountedWork()
    const [one, other] = [of(key), of({ name: 'Port' })]
    one.next()
    other.next()
    deepEqual([atOnce(one), atOnce(other), counts.begun], ['Rynek', 'Port', 2])
  })

  it('begins again after a run that threw', () => {
    let begun = 0
    const of = perValueInSlices(function* (_: object): Sliced<number> {
      begun += 1
      yield
      if (begun === 1) throw new Error('broken')
      return begun
    })
    const [first, second] = [of(key), of(key)]
    first.next()
    throws(() => first.next(), /broken/)
    equal(atOnce(second), 2)
  })
})

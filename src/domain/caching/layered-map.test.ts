import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { changeMap, layeredMapOf } from './layered-map.js'

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const change = fc.dictionary(key, fc.option(fc.nat(9)))

describe('a layered map', () => {
  it('is the map that a copy would be, whatever its order', () => {
    fc.assert(
      fc.property(fc.dictionary(key, fc.nat(9)), fc.array(change), (first, steps) => {
        let map = layeredMapOf(new Map(Object.entries(first)))
        const model = new Map(Object.entries(first))
        for (const step of steps) {
          map = changeMap(map, new Map(Object.entries(step)))
          for (const [name, value] of Object.entries(step))
            if (value === null) model.delete(name)
            else model.set(name, value)
        }
        deepEqual(new Map([...map].sort()), new Map([...model].sort()))
        deepEqual([...map.keys()].sort(), [...model.keys()].sort())
        deepEqual([...map.values()].sort(), [...model.values()].sort())
        equal(map.size, model.size)
        for (const name of 'abcdef') {
          equal(map.get(name), model.get(name))
          equal(map.has(name), model.has(name))
        }
      }),
    )
  })

  it('makes one of both when the changes are many', () => {
    const many = new Map(Array.from({ length: 3000 }, (_, at) => [at, at] as const))
    const map = changeMap(layeredMapOf(new Map([[5, 50]])), many)
    equal(map.changes.size, 0)
    equal(map.size, 3000)
    equal(map.get(5), 5)
  })
})

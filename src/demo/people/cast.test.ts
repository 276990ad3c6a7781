import assert from 'node:assert/strict'
import { chanceOf } from '../chance.js'
import { sizesOf } from '../sizes.js'
import { castOf } from './cast.js'

describe('the cast of a world', () => {
  it('numbers the names of lands when the words for them are used up', () => {
    const { places } = castOf({ ...sizesOf(null), lands: 130 }, chanceOf('próba'))
    const lands = places.filter(place => place.depth === 1).map(place => place.name)
    assert.equal(new Set(lands).size, 130)
    assert.ok(
      lands.some(name => / \(2\)$/u.test(name)),
      lands.join(', '),
    )
  })
})

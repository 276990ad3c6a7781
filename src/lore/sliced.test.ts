import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { atOnce, restingOver } from './sliced.js'

describe('sliced work', () => {
  const items = Array.from({ length: 200 }, (_, at) => at)

  it('visits every item in order, at one go or not', () => {
    const [one, other]: [Array<number>, Array<number>] = [[], []]
    atOnce(restingOver(items, item => one.push(item)))
    for (const _rest of restingOver(items, item => other.push(item)));
    deepEqual([one, other], [items, items])
  })

  it('rests after every few items', () => {
    equal([...restingOver(items, () => undefined)].length, 3)
  })
})

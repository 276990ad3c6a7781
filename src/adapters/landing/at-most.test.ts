import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { mapAtMost, openAtOnce } from './failure.js'

describe('work on many files', () => {
  it('is under way for 32 at most, and answers in order', async () => {
    let [now, most] = [0, 0]
    const items = Array.from({ length: 500 }, (_, at) => at)
    const done = await mapAtMost(items, async item => {
      now += 1
      most = Math.max(most, now)
      await new Promise(resolve => setImmediate(resolve))
      now -= 1
      return item * 2
    })
    deepEqual(
      done,
      items.map(item => item * 2),
    )
    equal(most, openAtOnce)
  })

  it('fails as soon as one of them does', async () => {
    const failing = (item: number): Promise<number> =>
      item === 3 ? Promise.reject(new Error('full')) : Promise.resolve(item)
    await rejects(mapAtMost([1, 2, 3, 4], failing), /full/)
  })
})

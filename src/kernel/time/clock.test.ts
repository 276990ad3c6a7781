import assert from 'node:assert/strict'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { virtualClock } from '#test/support/kernel/virtual-clock.js'
import { realEntropy } from '../entropy.js'
import { backoffMs } from '../supervision/restart-policy.js'
import { realClock } from './clock.js'

describe('the virtual clock', () => {
  it('runs timers in order of time, then of arming, those armed on the way too', async () => {
    const clock = virtualClock(1_000)
    const seen: string[] = []
    const note = (name: string) => () => seen.push(`${name}@${clock.nowMs()}`)
    clock.after(30, note('c'))
    clock.after(10, () => {
      note('a')()
      clock.after(5, note('b'))
    })
    clock.after(30, note('d'))
    clock.after(31, note('never'))()
    await clock.advance(40)
    assert.deepEqual(seen, ['a@1010', 'b@1015', 'c@1030', 'd@1030'])
    assert.deepEqual([clock.monotonicMs(), clock.nextMs()], [40, null])
  })

  it('keeps order among thousands of timers', async () => {
    const clock = virtualClock(0)
    const { chance } = entropyFromSeed(7)
    const seen: number[] = []
    for (let n = 0; n < 5_000; n += 1) clock.after(Math.floor(chance() * 900), () => seen.push(clock.nowMs()))
    await clock.advance(1_000, () => Promise.resolve())
    assert.equal(seen.length, 5_000)
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    )
  })
})

describe('the real clock', () => {
  it('does not fire a timer of more than 2^31 ms at once', async () => {
    let fired = false
    const cancel = realClock.after(2 ** 40, () => {
      fired = true
    })
    await new Promise(resolve => setImmediate(resolve))
    await new Promise<void>(resolve => realClock.after(2, resolve))
    cancel()
    assert.equal(fired, false)
  })

  it('never goes back', () => {
    const first = realClock.monotonicMs()
    assert.ok(realClock.monotonicMs() >= first)
  })
})

describe('entropy', () => {
  it('is the same for the same seed', () => {
    const draw = (seed: number): ReadonlyArray<number | string> => {
      const { chance, id } = entropyFromSeed(seed)
      return [chance(), chance(), id(), id()]
    }
    assert.deepEqual(draw(3), draw(3))
    assert.notDeepEqual(draw(3), draw(4))
  })

  it('stays within [0, 1)', () => {
    for (const { chance } of [realEntropy, entropyFromSeed(1)])
      for (let n = 0; n < 1_000; n += 1) {
        const drawn = chance()
        assert.ok(drawn >= 0 && drawn < 1)
      }
  })
})

describe('the backoff', () => {
  it('doubles from 200 ms to 30 s, give or take 20 %', () => {
    assert.deepEqual(
      [0, 1, 2, 5, 8, 1_000].map(streak => backoffMs(streak, 0.5)),
      [200, 400, 800, 6_400, 30_000, 30_000],
    )
    assert.deepEqual([backoffMs(0, 0), backoffMs(0, 0.999_999)], [160, 240])
  })
})

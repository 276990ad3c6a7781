import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { virtualClock } from '#test/support/kernel/virtual-clock.js'
import { silentMeter } from '../meter.js'
import { openEngine } from '../nact.js'
import { rules } from '../rules.js'
import { makeMoment } from './turn.js'

const coreWith = (draws: string[]) => {
  const clock = virtualClock(1_000)
  const { chance, id } = entropyFromSeed(1)
  const drawing =
    <A>(name: string, draw: () => A) =>
    (): A => {
      draws.push(name)
      return draw()
    }
  return {
    clock: { ...clock, nowMs: drawing('now', clock.nowMs) },
    entropy: { chance: drawing('chance', chance), id: drawing('id', id) },
    meter: silentMeter,
    log: () => undefined,
    engine: openEngine(),
    rules,
    stuckMs: 1,
    checkMessages: true,
  }
}

describe('a moment', () => {
  it('draws what is read, once', () => {
    const draws: string[] = []
    const moment = makeMoment(coreWith(draws), 'a.1', 7)
    deepEqual([moment.monotonicMs, moment.incarnation, draws], [7, 'a.1', []])
    equal(moment.nowMs, 1_000)
    deepEqual([moment.id, moment.chance], [moment.id, moment.chance])
    equal(moment.nowMs, 1_000)
    deepEqual(draws, ['now', 'id', 'chance'])
  })
})

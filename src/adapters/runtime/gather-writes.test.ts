import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { virtualClock } from '#src/kernel/time/virtual-clock.js'
import { gatherAtIntervals } from './gather-writes.js'

const endTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

describe('the intervals of a group commit', () => {
  it('commit at the end of the turn what comes alone', async () => {
    const clock = virtualClock(0)
    const gather = gatherAtIntervals(clock)
    let made = ''
    gather(() => {
      made += 'a'
    })
    equal(made, '')
    await endTurn()
    equal(made, 'a')
    await clock.advance(2, endTurn)
    gather(() => {
      made += 'b'
    })
    await endTurn()
    equal(made, 'ab')
  })

  it('let what comes less than 2 ms behind the last transaction wait', async () => {
    const clock = virtualClock(0)
    const gather = gatherAtIntervals(clock)
    let made = ''
    gather(() => {
      made += 'a'
    })
    await endTurn()
    await clock.advance(1, endTurn)
    gather(() => {
      made += 'b'
    })
    await endTurn()
    equal(made, 'a')
    await clock.advance(1, endTurn)
    equal(made, 'ab')
    gather(() => {
      made += 'c'
    })
    await clock.advance(1, endTurn)
    equal(made, 'ab')
    await clock.advance(1, endTurn)
    equal(made, 'abc')
  })
})

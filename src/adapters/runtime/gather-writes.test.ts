import { equal } from 'node:assert/strict'
import { beforeEach, describe, it } from 'mocha'
import { type VirtualClock, virtualClock } from '#test/support/kernel/virtual-clock.js'
import { gatherAtIntervals } from './group-commit.js'

const endTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

describe('the intervals of a group commit', () => {
  let clock: VirtualClock
  let gather: ReturnType<typeof gatherAtIntervals>
  let committed = ''
  beforeEach(() => {
    clock = virtualClock(0)
    gather = gatherAtIntervals(clock)
    committed = ''
  })
  const write = (name: string): void =>
    gather(() => {
      committed += name
    })
  const advance = (ms: number): Promise<void> => clock.advance(ms, endTurn)

  it('commit at the end of the turn what comes alone', async () => {
    write('a')
    equal(committed, '')
    await endTurn()
    equal(committed, 'a')
    await advance(2)
    write('b')
    await endTurn()
    equal(committed, 'ab')
  })

  it('let what comes less than 2 ms behind the last transaction wait', async () => {
    write('a')
    await endTurn()
    await advance(1)
    write('b')
    await endTurn()
    equal(committed, 'a')
    await advance(1)
    equal(committed, 'ab')
    write('c')
    await advance(1)
    equal(committed, 'ab')
    await advance(1)
    equal(committed, 'abc')
  })
})

import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type ModelKeeperMessage, modelKeeper } from './model-keeper.js'

const moment = { nowMs: 0, monotonicMs: 0, chance: 0.5, incarnation: 'x.1', id: 'x' }

/** The names of the effects of the start and of each message; a timer has its delay. */
const run = (messages: ReadonlyArray<ModelKeeperMessage>) => {
  const [initial, first] = modelKeeper.initial(moment)
  let state = initial
  const named = (effects: ReadonlyArray<object>): ReadonlyArray<unknown> =>
    effects.map(one => ('delayMs' in one ? one.delayMs : '_tag' in one ? one._tag : 'other'))
  const done = [named(first)]
  for (const message of messages) {
    const [next, effects] = modelKeeper.receive(state, message, moment)
    state = next
    done.push(named(effects))
  }
  return done
}

const turned = (nextMs: number): ModelKeeperMessage => ({ _tag: 'Turned', nextMs })
const wake: ModelKeeperMessage = { _tag: 'Wake' }
const due: ModelKeeperMessage = { _tag: 'Due' }

describe('the model keeper', () => {
  it('is ready after its first turn, once, and turns again when the turn said', () => {
    const [start, one, two, three] = run([turned(5_000), due, turned(700)])
    deepEqual(
      [start?.includes('Turn'), start?.length, one?.length, two, three?.length],
      [true, 1, 2, ['Turn'], 1],
    )
  })

  it('makes one turn at a time, and another at once for what was asked meanwhile', () => {
    const [, during, again, after, turn] = run([wake, wake, turned(5_000), due])
    deepEqual([during, again, turn], [[], [], ['Turn']])
    deepEqual(after?.includes(0), true)
  })

  it('turns at once when it is woken and idle', () => {
    deepEqual(run([turned(5_000), wake]).at(-1), ['Turn'])
  })
})

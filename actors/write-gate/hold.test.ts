import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Moment } from '#src/kernel/actor/actor.js'
import { replyToOf } from '#src/kernel/actor/ref.js'
import { commandOf } from '#test/support/commands.js'
import type { Hold, Write, WriteGateMessage } from './messages.js'
import { type State, writeGate } from './write-gate.js'

const moment: Moment = { nowMs: 0, monotonicMs: 0, id: 'm', chance: 0.5, incarnation: 'write-gate.1' }
const write = (): Write => ({
  _tag: 'Write',
  command: commandOf(),
  replyTo: replyToOf('w', () => true),
})
const hold: Hold = { _tag: 'Hold', work: () => Promise.resolve(), replyTo: replyToOf('h', () => true) }

const step = (state: State, message: WriteGateMessage) => writeGate.receive(state, message, moment)
const names = (effects: ReturnType<typeof step>[1]): ReadonlyArray<string> =>
  effects.map(effect => ('kernel' in effect ? effect.kernel : effect._tag))

describe('the write gate that a converge holds', () => {
  it('begins the hold after the writes before it, and the next writes after the hold', () => {
    const [waiting] = [write(), hold, write()].reduce<ReturnType<typeof step>>(
      ([state], message) => step(state, message),
      [{ busy: true, waiting: [] }, []],
    )
    const [first, carried] = step(waiting, { _tag: 'Recovered' })
    deepEqual(names(carried), ['Carry'])
    const [second, held] = step(first, { _tag: 'Carried', settled: [], deferred: [], facts: [] })
    deepEqual(names(held), ['Hold'])
    const [third, none] = step(second, write())
    deepEqual(names(none), [])
    const [last, released] = step(third, { _tag: 'HoldDone', replyTo: hold.replyTo })
    deepEqual([names(released), last.waiting.length], [['reply', 'Carry'], 0])
  })

  it('queues a hold where writes are turned away', () => {
    const full: State = { busy: true, waiting: Array.from({ length: 256 }, write) }
    deepEqual(names(step(full, write())[1]), ['reply'])
    const [queued, effects] = step(full, hold)
    deepEqual([names(effects), queued.waiting.at(-1)], [[], hold])
  })
})

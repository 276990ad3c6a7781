import { deepEqual } from 'node:assert/strict'
import { left } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import type { Moment } from '#src/kernel/actor/actor.js'
import { replyToOf } from '#src/kernel/actor/ref.js'
import { testCommand } from '#test/support/commands.js'
import { commitId } from '#test/support/commit-id.js'
import type { Advance, Hold, Write, WriteGateMessage } from './messages.js'
import type { State } from './state.js'
import { writeGate } from './write-gate.js'

const moment: Moment = { nowMs: 0, monotonicMs: 0, id: 'm', chance: 0.5, incarnation: 'write-gate.1' }
const write = (): Write => ({
  _tag: 'Write',
  publishes: false,
  command: testCommand(),
  replyTo: replyToOf('w', () => true),
})
const hold: Hold = { _tag: 'Hold', lease: 'a', limitMs: 5_000, replyTo: replyToOf('h', () => true) }
const advanceUnder = (lease: string | null): Advance => ({
  _tag: 'Advance',
  tree: 'lore',
  from: commitId('a'.repeat(40)),
  to: commitId('b'.repeat(40)),
  reason: 'sync',
  replaces: false,
  lease,
  replyTo: replyToOf('m', () => true),
})
const release: WriteGateMessage = { _tag: 'Release', lease: 'a' }
const movedOn: WriteGateMessage = {
  _tag: 'AdvanceDone',
  replyTo: replyToOf('m', () => true),
  outcome: { _tag: 'Moved' },
}

type Stepped = ReturnType<typeof writeGate.receive>
const step = (state: State, message: WriteGateMessage) => writeGate.receive(state, message, moment)
const names = (effects: Stepped[1]): ReadonlyArray<string> =>
  effects.map(effect => ('kernel' in effect ? effect.kernel : effect._tag))

const idle: State = { waiting: [], work: null }
const busy: State = { waiting: [], work: { _tag: 'Recovery' } }
/** A gate after these messages, with the effects of the last one. */
const after = (first: State, ...messages: ReadonlyArray<WriteGateMessage>): Stepped =>
  messages.reduce<Stepped>(([state], message) => step(state, message), [first, []])

describe('a lease of the write gate', () => {
  it('begins after the writes before it; the writes behind it begin when it is released', () => {
    const [waiting] = after(busy, write(), hold, write())
    const [batch, attempt] = step(waiting, { _tag: 'Recovered' })
    deepEqual(names(attempt), ['Attempt'])
    deepEqual(batch.waiting.length, 2)
    const settled = [{ at: 0, commit: null, outcome: left(refuse('Overloaded', 'no')) }]
    const [held, granted] = step(batch, {
      _tag: 'Attempted',
      outcome: { _tag: 'Settled', tree: 'lore', settled, facts: [], unfinished: null },
    })
    deepEqual(names(granted), ['CountResults', 'reply', 'reply', 'after'])
    const [later, none] = step(held, write())
    deepEqual(names(none), [])
    const [last, released] = step(later, release)
    deepEqual([names(released), last.waiting.length], [['cancel', 'Attempt'], 0])
  })

  it('is taken where writes are turned away', () => {
    const full: State = { work: { _tag: 'Recovery' }, waiting: Array.from({ length: 256 }, write) }
    deepEqual(names(step(full, write())[1]), ['reply'])
    const [queued, effects] = step(full, hold)
    deepEqual([names(effects), queued.waiting.at(-1)], [[], hold])
  })

  it('lets only its holder move the branch, at once', () => {
    const [held] = after(idle, hold)
    deepEqual(names(step(held, advanceUnder('a'))[1]), ['Advance'])
    deepEqual(names(step(held, advanceUnder('b'))[1]), ['reply'], 'of another lease')
    const [queued, none] = step(held, advanceUnder(null))
    deepEqual([names(none), queued.waiting.length], [[], 1], 'in its turn')
    deepEqual(names(step(idle, advanceUnder('a'))[1]), ['reply'], 'of a lease that is over')
  })

  it('ends with the move that is under way when it is released or its time is over', () => {
    for (const over of [release, { _tag: 'LeaseLapsed', lease: 'a' } as const]) {
      const [moving] = after(idle, hold, write(), advanceUnder('a'), over)
      deepEqual(names(step(moving, advanceUnder('a'))[1]), ['reply'])
      deepEqual(names(step(moving, movedOn)[1]), ['reply', 'cancel', 'Attempt'])
    }
  })

  it('tells its followers of its end, and those of no lease at once', () => {
    const follow: WriteGateMessage = {
      _tag: 'Follow',
      lease: 'a',
      replyTo: replyToOf('f', () => true),
    }
    deepEqual(names(step(idle, follow)[1]), ['reply'])
    const [followed, none] = after(idle, hold, follow)
    deepEqual(names(none), [])
    deepEqual(names(step(followed, release)[1]), ['cancel', 'reply'])
  })

  it('is not begun for one who gave up waiting', () => {
    const [state] = after(busy, hold, release, write())
    deepEqual(names(step(state, { _tag: 'Recovered' })[1]), ['Attempt'])
  })
})

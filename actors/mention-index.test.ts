import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type MentionIndexMessage, mentionIndex } from './mention-index.js'

const moment = { nowMs: 0, monotonicMs: 0, chance: 0.5, incarnation: 'x.1', id: 'x' }

/** What each message makes it do: whether it looks, and whether it may make an artifact then. */
const run = (intervalMs: number, messages: ReadonlyArray<MentionIndexMessage>) => {
  const actor = mentionIndex({ intervalMs })
  const [initial, first] = actor.initial(moment)
  let state = initial
  const looks = (effects: ReadonlyArray<object>): ReadonlyArray<boolean> =>
    effects.flatMap(one => ('mayMake' in one ? [one.mayMake === true] : []))
  const done = [looks(first)]
  for (const message of messages) {
    const [next, effects] = actor.receive(state, message, moment)
    state = next
    done.push(looks(effects))
  }
  return done
}

const looked = (outcome: 'fresh' | 'made' | 'unready'): MentionIndexMessage => ({ _tag: 'Looked', outcome })

describe('the mention index', () => {
  it('makes an artifact at the start, and none within an interval of one that was made', () => {
    deepEqual(
      run(1_000, [looked('made'), { _tag: 'Wake' }, looked('fresh'), { _tag: 'Due' }, looked('made')]),
      [[true], [], [false], [], [true], []],
    )
  })

  it('tries again when the index changes, until one was made', () => {
    deepEqual(run(1_000, [looked('unready'), { _tag: 'Wake' }, looked('fresh'), { _tag: 'Wake' }]), [
      [true],
      [],
      [true],
      [],
      [true],
    ])
  })

  it('looks again after a change during a look, once', () => {
    deepEqual(run(1_000, [{ _tag: 'Wake' }, { _tag: 'Wake' }, looked('unready'), looked('fresh')]), [
      [true],
      [],
      [],
      [true],
      [],
    ])
  })

  it('makes none with the interval 0, and still takes what was copied', () => {
    deepEqual(run(0, [looked('fresh'), { _tag: 'Wake' }]), [[false], [], [false]])
  })
})

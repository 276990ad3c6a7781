import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Moment } from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyToOf } from '#src/kernel/actor/ref.js'
import { corpusKeeper, type LookOutcome, type State } from './corpus-keeper.js'

const moment: Moment = { nowMs: 1000, monotonicMs: 0, id: 'm', chance: 0, incarnation: 'corpus-keeper.1' }
const keeper = corpusKeeper({ intervalMs: 5000, untilNextDayMs: () => 60_000 })
const atMidnight = corpusKeeper({ intervalMs: 0, untilNextDayMs: () => 60_000 })

const asker = (askId: string): ReplyTo<LookOutcome> => replyToOf(askId, () => true)
const current: LookOutcome = { _tag: 'Current', generation: 1, commit: null }
const names = (effects: ReadonlyArray<object>) =>
  effects.map(effect => ('kernel' in effect ? effect.kernel : '_tag' in effect ? effect._tag : '?'))

describe('the corpus keeper', () => {
  it('is ready at once and looks at once: the front does not wait for the first snapshot', () => {
    const [state, effects] = keeper.initial(moment)
    deepEqual(state, { _tag: 'Looking', failed: null, askers: [] })
    deepEqual(names(effects), ['ready', 'Look', 'after'])
  })

  it('watches the checkout at its interval, and a slow one at most a fiftieth of the time', () => {
    const idle: State = { _tag: 'Idle', failed: null }
    const nextMs = (of: typeof keeper, tookMs: number) =>
      of
        .receive(idle, { _tag: 'Watched', tookMs }, moment)[1]
        .map(effect => 'delayMs' in effect && effect.delayMs)
    deepEqual([nextMs(keeper, 10), nextMs(keeper, 1000), nextMs(atMidnight, 10)], [[5000], [50_000], [5000]])
    deepEqual(names(keeper.receive(idle, { _tag: 'Watch' }, moment)[1]), ['Watch'])
  })

  it('answers who asked during a look by the next look, which may see more', () => {
    const running: State = { _tag: 'Looking', failed: null, askers: [asker('a')] }
    const [twice, none] = keeper.receive(running, { _tag: 'Refresh', replyTo: asker('b') }, moment)
    deepEqual(none, [])
    const [next, effects] = keeper.receive(twice, { _tag: 'Looked', outcome: current }, moment)
    deepEqual(next._tag === 'Looking' && next.askers.map(one => one.askId), ['b'])
    deepEqual(names(effects), ['reply', 'Look'])
  })

  it('looks again after its interval, or at midnight when that is nearer', () => {
    const [, effects] = keeper.receive(
      { _tag: 'Looking', failed: null, askers: [] },
      { _tag: 'Looked', outcome: current },
      moment,
    )
    deepEqual(effects, [{ kernel: 'after', key: 'tick', delayMs: 5000, message: { _tag: 'Tick' } }])
    const [, idle] = atMidnight.receive(
      { _tag: 'Looking', failed: null, askers: [] },
      { _tag: 'Looked', outcome: current },
      moment,
    )
    deepEqual(idle, [{ kernel: 'after', key: 'tick', delayMs: 60_000, message: { _tag: 'Tick' } }])
  })

  it('tries again within a second after a look that failed', () => {
    const failed: LookOutcome = { _tag: 'LookFailed', reason: 'git died', headId: null }
    const [, effects] = keeper.receive(
      { _tag: 'Looking', failed: null, askers: [] },
      { _tag: 'Looked', outcome: failed },
      moment,
    )
    deepEqual(effects, [{ kernel: 'after', key: 'tick', delayMs: 1000, message: { _tag: 'Tick' } }])
  })

  it('reads a tree that cannot be loaded ever more seldom, and another one at once', () => {
    const outcome: LookOutcome = { _tag: 'LookFailed', reason: 'too many paths', headId: 'a' }
    const at = (monotonicMs: number): Moment => ({ ...moment, monotonicMs })
    const tick = { _tag: 'Tick' } as const
    let state: State = { _tag: 'Looking', failed: null, askers: [] }
    const waits: Array<number> = []
    let atMs = 0
    for (let tries = 1; tries <= 8; tries += 1) {
      ;[state] = keeper.receive(state, { _tag: 'Looked', outcome }, at(atMs))
      const retryAtMs = state.failed?.retryAtMs ?? 0
      waits.push(retryAtMs - atMs)
      const [, early] = keeper.receive(state, tick, at(retryAtMs - 1))
      deepEqual(early, [{ _tag: 'Look', known: state.failed }])
      const [again, due] = keeper.receive(state, tick, at(retryAtMs))
      deepEqual(due, [{ _tag: 'Look', known: null }])
      atMs = retryAtMs
      state = again
    }
    deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    const [other] = keeper.receive(state, { _tag: 'Looked', outcome: { ...outcome, headId: 'b' } }, at(atMs))
    equal(other.failed?.tries, 1)
    const mended = keeper.receive(
      { ...other, _tag: 'Looking', askers: [] },
      { _tag: 'Looked', outcome: current },
      at(atMs),
    )
    equal(mended[0].failed, null)
  })

  it('starts no second look beside the first', () => {
    const running: State = { _tag: 'Looking', failed: null, askers: [] }
    const [state, effects] = keeper.receive(running, { _tag: 'Tick' }, moment)
    equal(state, running)
    deepEqual(effects, [])
  })
})

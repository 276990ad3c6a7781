import { deepEqual, equal, fail } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Moment } from '#src/kernel/actor/actor.js'
import { commitId } from '#test/support/commit-id.js'
import {
  type CleanerState,
  type LooseObjects,
  looseMax,
  type RepositoryCleanerMessage,
  repositoryCleaner,
  weighAfterMs,
} from './repository-cleaner.js'

const moment: Moment = { nowMs: 1_000, monotonicMs: 10, id: 'm', chance: 0.5, incarnation: 'cleaner.1' }
const cleaner = repositoryCleaner(3_600_000)
const wrote: RepositoryCleanerMessage = { _tag: 'Wrote', commit: commitId('a'.repeat(40)) }
const weighed = (loose: LooseObjects): RepositoryCleanerMessage => ({ _tag: 'Weighed', loose })
const none = { objects: 0, bytes: 0 }
const some = { objects: looseMax.objects - 1, bytes: looseMax.bytes - 1 }

type Effects = ReturnType<typeof cleaner.receive>[1]
const names = (effects: Effects) =>
  effects.map(effect => ('kernel' in effect ? ('key' in effect ? effect.key : effect.kernel) : effect._tag))
const delays = (effects: Effects) => effects.flatMap(effect => ('delayMs' in effect ? [effect.delayMs] : []))

/** Runs messages from a state; returns the last step. */
const after = (messages: ReadonlyArray<RepositoryCleanerMessage>, from?: CleanerState, actor = cleaner) =>
  messages.reduce<ReturnType<typeof cleaner.receive>>(
    ([state], message) => actor.receive(state, message, moment),
    from === undefined ? actor.initial(moment) : [from, []],
  )
const idle: CleanerState = { isDue: false, left: none }

describe('the repository cleaner', () => {
  it('weighs after its start, and collects garbage at its interval', () => {
    const [state, effects] = cleaner.initial(moment)
    deepEqual(
      [names(effects), delays(effects)],
      [
        ['ready', 'due', 'clean'],
        [weighAfterMs, 3_600_000],
      ],
    )
    deepEqual(names(after([{ _tag: 'Due' }], state)[1]), ['Weigh'])
    deepEqual(names(after([{ _tag: 'CleanUp' }], state)[1]), ['CollectGarbage', 'clean'])
  })

  it('weighs the commits of ten seconds together', () => {
    const [state, effects] = after([wrote], idle)
    deepEqual([names(effects), delays(effects)], [['due'], [weighAfterMs]])
    deepEqual(names(after([wrote, wrote], state)[1]), [])
    deepEqual(names(after([{ _tag: 'Due' }, wrote], state)[1]), ['due'])
  })

  it('packs by objects and by bytes, and not below either', () => {
    deepEqual(names(after([weighed(some)], idle)[1]), [])
    deepEqual(names(after([weighed({ ...some, objects: looseMax.objects })], idle)[1]), ['Pack'])
    deepEqual(names(after([weighed({ ...some, bytes: looseMax.bytes })], idle)[1]), ['Pack'])
  })

  it('does not pack again what the last packing left, until as much has come', () => {
    const left = { objects: 5_000, bytes: 5 * looseMax.bytes }
    const [state] = after([weighed(left), { _tag: 'Packed', loose: left }], idle)
    deepEqual(names(after([weighed(left)], state)[1]), [])
    deepEqual(names(after([weighed({ ...left, bytes: left.bytes + looseMax.bytes })], state)[1]), ['Pack'])
    // Another program removed what was left: what comes now counts from there.
    deepEqual(names(after([weighed(none), weighed({ ...none, bytes: looseMax.bytes })], state)[1]), ['Pack'])
  })

  it('does nothing at all with an interval of 0', () => {
    const off = repositoryCleaner(0)
    deepEqual(names(off.initial(moment)[1]), ['ready'])
    deepEqual(names(after([wrote], undefined, off)[1]), [])
  })

  it('weighs again behind a packing, and says nothing where git cannot tell', async () => {
    const done: Array<string> = []
    const run = cleaner.perform({
      weigh: () => Promise.resolve(done.push('weigh') > 2 ? null : none),
      pack: () => Promise.resolve(void done.push('pack')),
      collectGarbage: () => Promise.resolve(void done.push('gc')),
    })
    const { signal } = new AbortController()
    const never = (): void => fail('a message before the end')
    deepEqual(await run({ _tag: 'Pack' }, signal, never), [{ _tag: 'Packed', loose: none }])
    deepEqual(await run({ _tag: 'Weigh' }, signal, never), [])
    deepEqual(await run({ _tag: 'CollectGarbage' }, signal, never), [])
    equal(done.join(' '), 'pack weigh weigh gc')
  })
})

import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import {
  dispatchAttemptMsMax,
  dispatchGiveUpMs,
  dispatchLifeMs,
} from '#src/domain/dispatch/check-dispatch.js'
import { tell } from '#src/kernel/actor/ref.js'
import { dispatchWorld } from '#test/support/chat/dispatch-world.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { type DispatchQueueMessage, dispatchQueue, type State } from './dispatch-queue.js'

const wake = { _tag: 'Wake' } as const

describe('the dispatch queue', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  it('enacts what is recorded in order, and sets no timer while nothing waits', async () => {
    const queue = await dispatchWorld(runtime)
    await queue.world.advance(60_000)
    for (const id of ['3', '1', '2']) queue.add(id)
    tell(queue.ref, wake)
    await queue.world.advance(10)
    deepEqual(queue.ended, ['3 enacted', '1 enacted', '2 enacted'])
    equal(queue.ticks.length, 3)
    const looks = queue.looks()
    await queue.world.advance(3_600_000)
    deepEqual([queue.looks(), queue.ticks.length], [looks, 3])
  })

  it('makes max_per_tick attempts in a tick, and begins the next tick at once (S25)', () => {
    const { receive } = dispatchQueue({ attemptsMax: 2, budgetMs: 2_000 })
    const attempt = { id: '1', kind: 'query', attempt: 1, run: 1, deadlineMs: dispatchLifeMs } as const
    const end = { state: 'enacted', reason: null, answer: null } as const
    const settled = { attempt, settlement: { _tag: 'End', end } } as const
    const at = (monotonicMs: number) => ({ nowMs: 0, monotonicMs, id: '', chance: 0, incarnation: '' })
    let state: State = { _tag: 'Idle' }
    const opens = (message: DispatchQueueMessage, ms: number): boolean | undefined => {
      const [next, effects] = receive(state, message, at(ms))
      state = next
      return effects.flatMap(one => ('_tag' in one && one._tag === 'Step' ? [one.opensTick] : []))[0]
    }
    const attempted = { _tag: 'Attempted', settled } as const
    deepEqual([opens(wake, 0), opens(attempted, 1), opens(attempted, 2)], [true, false, true])
    deepEqual([opens(attempted, 2_002), opens(attempted, 2_003)], [false, true])
    equal(opens(attempted, 4_004), true)
  })

  it('makes a transaction of the end of an attempt and the begin of the next', async () => {
    const queue = await dispatchWorld(runtime)
    for (let id = 1; id <= 6; id += 1) queue.add(String(id))
    const before = queue.commits()
    tell(queue.ref, wake)
    await queue.world.settle()
    deepEqual([queue.ended.length, queue.commits() - before], [6, 7])
  })

  it('records the attempt that is under way when the host ends, and begins no other', async () => {
    let release: () => void = () => undefined
    const queue = await dispatchWorld(runtime, {
      enact: () =>
        new Promise(resolve => {
          release = () => resolve({ _tag: 'Enacted', answer: '' })
        }),
    })
    queue.add('1')
    queue.add('2')
    tell(queue.ref, wake)
    await queue.world.settle()
    const drained = queue.tree.drain(1_000)
    await queue.world.settle()
    release()
    await queue.world.settle()
    await drained
    deepEqual([queue.ended, queue.attempts.length], [['1 enacted'], 1])
    deepEqual(queue.store().running(), [])
  })

  it('begins no attempt behind the budget of its tick, and never two at a time (S25)', async () => {
    let [open, most] = [0, 0]
    const queue: Awaited<ReturnType<typeof dispatchWorld>> = await dispatchWorld(runtime, {
      perTick: 10,
      budgetMs: 2_000,
      enact: async () => {
        open += 1
        most = Math.max(most, open)
        await new Promise<void>(resolve => queue.world.clock.after(1_500, resolve))
        open -= 1
        return { _tag: 'Enacted', answer: '' }
      },
    })
    for (let id = 1; id <= 4; id += 1) queue.add(String(id))
    for (let times = 0; times < 5; times += 1) tell(queue.ref, wake)
    await queue.world.advance(2_999)
    equal(queue.attempts.length, 2)
    await queue.world.advance(20_000)
    deepEqual([queue.ended.length, most], [4, 1])
    deepEqual(queue.ticks, [3_000, 3_000])
  })

  it('repeats a failure behind growing pauses, lets others pass, and keeps the reason of the last', async () => {
    const queue = await dispatchWorld(runtime, {
      enact: ({ id }) =>
        id === '1'
          ? Promise.reject(new Error('the remote is away'))
          : Promise.resolve({ _tag: 'Enacted', answer: '' }),
    })
    const startMs = queue.world.clock.monotonicMs()
    queue.add('1')
    queue.add('2')
    tell(queue.ref, wake)
    await queue.world.advance(10_000)
    deepEqual(queue.ended, ['2 enacted', '1 failed'])
    const tries = queue.attempts
      .filter(({ id }) => id === '1')
      .map(({ atMs }) => Math.floor((atMs - startMs) / 1_000))
    deepEqual(tries, [0, 1, 3])
    deepEqual(queue.store().counts().query, { accepted: 2, enacted: 1, failed: 1, refused: 0 })
  })

  it('queues again at its start what ran, and fails what ran as often as it may', async () => {
    const first = runtime.db().dispatches
    first.enqueue({ id: '1', kind: 'close', vars: {}, sealedReply: null }, 0)
    first.begin(0)
    runtime.reopen()
    const queue = await dispatchWorld(runtime, { nowMs: () => 5 })
    await queue.world.advance(5)
    deepEqual(
      queue.attempts.map(({ id, attempt }) => [id, attempt]),
      [['1', 2]],
    )
    for (let times = 0; times < 3; times += 1) {
      if (times === 0) queue.store().enqueue({ id: '2', kind: 'close', vars: {}, sealedReply: null }, 5)
      queue.store().begin(5)
      runtime.reopen()
      queue.store().recover(5)
    }
    tell(queue.ref, wake)
    await queue.world.advance(5)
    deepEqual(queue.ended, ['1 enacted', '2 failed'])
    equal(queue.attempts.length, 1)
  })

  it('answers at once what waited for the lore when that is read for the first time', async () => {
    let isRead = false
    const queue = await dispatchWorld(runtime, {
      enact: () =>
        Promise.resolve(
          isRead ? { _tag: 'Enacted', answer: '' } : { _tag: 'Held', reason: 'the lore is not read yet' },
        ),
    })
    for (const id of ['1', '2']) queue.add(id)
    tell(queue.ref, wake)
    await queue.world.advance(1_000)
    isRead = true
    deepEqual(queue.ended, [])
    tell(queue.ref, { _tag: 'LoreRead' })
    await queue.world.settle()
    deepEqual(queue.ended, ['1 enacted', '2 enacted'])
  })

  it('ends everything within 14 minutes, also what the gate holds and what no tick reaches (L4)', async () => {
    const queue = await dispatchWorld(runtime, {
      enact: ({ kind }) =>
        Promise.resolve(
          kind === 'close'
            ? { _tag: 'Held', reason: 'the write gate is closed: ReadOnly' }
            : { _tag: 'Enacted', answer: '' },
        ),
    })
    for (let id = 1; id <= 8; id += 1) queue.add(String(id), 'close')
    tell(queue.ref, wake)
    await queue.world.advance(60_000)
    equal(queue.ended.length, 0)
    await queue.world.advance(dispatchLifeMs - 60_000 + 100)
    equal(queue.ended.length, 8)
    ok(queue.ended.every(one => one.endsWith(' failed')))
    const looks = queue.looks()
    await queue.world.advance(3_600_000)
    equal(queue.looks(), looks)
  })

  it('ends what waits within 14 minutes while the longest attempt of another one is under way (L4)', async () => {
    const queue: Awaited<ReturnType<typeof dispatchWorld>> = await dispatchWorld(runtime, {
      enact: async () => {
        if (queue.world.clock.monotonicMs() < dispatchGiveUpMs - 3_000)
          return { _tag: 'Held', reason: 'the write gate is closed: ReadOnly' }
        await new Promise<void>(resolve => queue.world.clock.after(dispatchAttemptMsMax, resolve))
        return { _tag: 'Failed', reason: 'it took too long' }
      },
    })
    for (const id of ['1', '2', '3']) queue.add(id, 'close')
    tell(queue.ref, wake)
    await queue.world.advance(dispatchLifeMs)
    equal(queue.ended.length, 3)
  })

  it('waits while the disk refuses, and enacts afterwards what it could not record', async () => {
    const queue = await dispatchWorld(runtime)
    queue.add('1')
    queue.refuse('SQLITE_FULL')
    tell(queue.ref, wake)
    await queue.world.advance(20_000)
    deepEqual(queue.ended, [])
    queue.refuse(null)
    await queue.world.advance(5_000)
    deepEqual(queue.ended, ['1 enacted'])
    equal(queue.world.log.filter(({ event }) => event === 'fault').length, 0)
  })
})

import assert from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { type Counter, type CounterMessage, counter, idlePorts } from '#test/support/kernel/counter.js'
import { kernelWorld } from '#test/support/kernel/kernel-world.js'
import { ask, type ReplyTo, tell } from './actor/ref.js'

const get = (replyTo: ReplyTo<number>): CounterMessage => ({ _tag: 'Get', replyTo })

describe('the kernel', () => {
  it('delivers what was told in order and answers who asks', async () => {
    const world = kernelWorld()
    const { ref } = await world.alone(counter('c'), idlePorts)
    assert.equal(tell(ref, { _tag: 'Add', n: 2 }), 'accepted')
    assert.equal(tell(ref, { _tag: 'Add', n: 3 }), 'accepted')
    const answer = ask(ref, get, 1_000)
    await world.settle()
    assert.deepEqual(await answer, right(5))
  })

  it('gives the outcome of an effect back as a message to self', async () => {
    const world = kernelWorld()
    const { ref } = await world.alone(counter('c'), { work: n => Promise.resolve(n * 10) })
    tell(ref, { _tag: 'Work', n: 4 })
    await world.settle()
    assert.deepEqual(await ask(ref, get, 1_000), right(40))
  })

  it('carries the effects of one step out in order: work first, then the answer', async () => {
    const world = kernelWorld()
    const done: number[] = []
    const work = async (n: number): Promise<number> => {
      await Promise.resolve()
      done.push(n)
      return n
    }
    const { ref } = await world.alone(counter('c'), { work })
    const answer = ask<CounterMessage, number>(
      ref,
      to => ({ _tag: 'WorkThenAnswer', n: 7, replyTo: to }),
      1_000,
    )
    void answer.then(() => done.push(0))
    await world.settle()
    assert.deepEqual(done, [7, 0])
  })

  it('refuses at the door what a full mailbox cannot hold', async () => {
    const world = kernelWorld()
    const { ref } = await world.alone(counter('c', 2), idlePorts)
    const told = [1, 2, 3].map(n => tell(ref, { _tag: 'Add', n }))
    assert.deepEqual(told, ['accepted', 'accepted', 'full'])
    assert.deepEqual(await ask(ref, get, 1_000), left({ _tag: 'Full', actor: 'c' }))
  })

  it('sets a poison message aside, restarts after the backoff and goes on with the mailbox', async () => {
    const world = kernelWorld()
    const { ref } = await world.alone(counter('c'), idlePorts)
    tell(ref, { _tag: 'Poison' })
    tell(ref, { _tag: 'Add', n: 1 })
    await world.settle()
    assert.equal(world.kernel.readings()[0]?.state, 'backoff')
    await world.advance(240)
    assert.deepEqual(await ask(ref, get, 1_000), right(1))
    const reading = world.kernel.readings()[0]
    assert.deepEqual([reading?.state, reading?.incarnation, reading?.quarantined], ['running', 2, 1])
  })

  it('fails an ask at once when the actor faults, and when its backoff outlasts the deadline', async () => {
    const world = kernelWorld()
    const { ref } = await world.alone(counter('c'), idlePorts)
    const held = ask<CounterMessage, number>(ref, to => ({ _tag: 'Hold', replyTo: to }), 60_000)
    tell(ref, { _tag: 'Poison' })
    await world.settle()
    assert.deepEqual(await held, left({ _tag: 'Faulted', actor: 'c' }))
    const late = await ask(ref, get, 10)
    assert.equal(late._tag === 'Left' && late.left._tag, 'Unavailable')
  })

  it('lets an ask time out, and puts its message among the dead letters if it still waits', async () => {
    const world = kernelWorld()
    const place = world.kernel.place(counter('c'))
    const waiting = ask(place.ref, get, 100)
    await world.advance(100)
    assert.deepEqual(await waiting, left({ _tag: 'Timeout', actor: 'c' }))
    world.kernel.run(
      {
        id: 'root',
        strategy: 'one_for_one',
        restartsMax: 1,
        windowMs: 1_000,
        children: [{ id: 'c', restart: 'permanent', drainMs: 100 }],
      },
      { c: place.with(idlePorts) },
      () => undefined,
    )
    await world.settle()
    assert.equal(world.kernel.tallies().get('c')?.byReason.deadline, 1)
  })

  it('gives up with exit code 70 once a child exceeds its budget', async () => {
    const world = kernelWorld()
    const { ref } = await world.alone(counter('c'), idlePorts, { restartsMax: 2, windowMs: 60_000 })
    for (let round = 0; round < 3; round += 1) {
      tell(ref, { _tag: 'Poison' })
      await world.advance(2_000)
    }
    assert.deepEqual(
      world.gaveUp.map(notice => notice.exitCode),
      [70],
    )
    assert.equal(tell(ref, { _tag: 'Add', n: 1 }), 'gone')
    assert.deepEqual(await ask(ref, get, 1_000), left({ _tag: 'Gone', actor: 'c' }))
  })

  it('drains: handles what waits, then refuses', async () => {
    const world = kernelWorld()
    const { ref, tree } = await world.alone(counter('c'), idlePorts)
    for (let n = 0; n < 20; n += 1) tell(ref, { _tag: 'Work', n })
    const orphans = tree.drain(1_000)
    await world.settle()
    assert.deepEqual(await orphans, [])
    assert.equal(tell(ref, { _tag: 'Add', n: 1 }), 'gone')
    assert.equal(world.kernel.tallies().get('c')?.ok, 40)
    assert.equal(world.clock.nextMs(), null, 'no timer is left')
  })

  it('drains no longer than its limit and reports what it orphaned', async () => {
    const world = kernelWorld()
    const { ref, tree } = await world.alone(counter('c'), { work: () => new Promise(() => undefined) })
    tell(ref, { _tag: 'Work', n: 1 })
    tell(ref, { _tag: 'Work', n: 2 })
    await world.settle()
    const orphans = tree.drain(500)
    await world.advance(500)
    assert.deepEqual(await orphans, [{ actor: 'c', waiting: 0, effects: ['DoWork', 'DoWork'] }])
  })

  it('decodes each message where it checks messages, and trusts the types of the sender where not', async () => {
    const nonsense = { _tag: 'Add', n: 'two' } as const
    const outcomes = await Promise.all(
      [true, false].map(async checkMessages => {
        const world = kernelWorld({ checkMessages })
        const seen: unknown[] = []
        const receive: Counter['receive'] = (state, message) => {
          seen.push(message)
          return [state, []]
        }
        const { ref } = await world.alone({ ...counter('c'), receive }, idlePorts)
        // @ts-expect-error what no type lets pass
        tell(ref, nonsense)
        await world.settle()
        return [seen.length, world.kernel.tallies().get('c')?.byReason.undecodable]
      }),
    )
    assert.deepEqual(outcomes, [
      [0, 1],
      [1, 0],
    ])
  })
})

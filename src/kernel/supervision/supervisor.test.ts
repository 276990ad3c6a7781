import assert from 'node:assert/strict'
import { right } from 'fp-ts/lib/Either.js'
import type { RestartKind, Strategy } from '#protocol/host/kernel.js'
import { type Counter, type CounterMessage, counter, idlePorts } from '#test/support/kernel/counter.js'
import { type KernelWorld, kernelWorld } from '#test/support/kernel/kernel-world.js'
import { end, type Step } from '../actor/actor.js'
import { ask, type Ref, type ReplyTo, tell } from '../actor/ref.js'
import type { ActorTree } from '../run-tree.js'
import type { ChildSpec } from './supervisor-spec.js'

const get = (replyTo: ReplyTo<number>): CounterMessage => ({ _tag: 'Get', replyTo })

interface Family {
  readonly world: KernelWorld
  readonly refs: Readonly<Record<string, Ref<CounterMessage>>>
  readonly tree: ActorTree
  /** Starts and stops since the last call, as the kernel logged them: `a.1`, `-a`. */
  readonly moves: () => ReadonlyArray<string>
  readonly incarnations: () => ReadonlyArray<number>
}

const family = (
  strategy: Strategy,
  children: Readonly<Record<string, Partial<ChildSpec<string>> & { readonly actor?: Partial<Counter> }>>,
): Family => {
  const world = kernelWorld()
  const refs: Record<string, Ref<CounterMessage>> = {}
  const members: Record<string, ReturnType<ReturnType<KernelWorld['kernel']['place']>['with']>> = {}
  const specs: ChildSpec<string>[] = []
  for (const [name, { actor, ...spec }] of Object.entries(children)) {
    const place = world.kernel.place({ ...counter(name), ...actor })
    refs[name] = place.ref
    members[name] = place.with(idlePorts)
    specs.push({ id: name, restart: 'permanent', drainMs: 1_000, ...spec })
  }
  let seen = 0
  const tree = world.kernel.run(
    { id: 'root', strategy, restartsMax: 3, windowMs: 60_000, children: specs },
    members,
    () => undefined,
  )
  return {
    world,
    refs,
    tree,
    moves: () => {
      const fresh = world.log.slice(seen)
      seen = world.log.length
      return fresh.flatMap(record =>
        record.event === 'started'
          ? [record.incarnation]
          : record.event === 'stopped'
            ? [`-${record.actor}`]
            : [],
      )
    },
    incarnations: () => world.kernel.readings().map(reading => reading.incarnation),
  }
}

const poison = async (one: Family, name: string): Promise<void> => {
  const ref = one.refs[name]
  assert.ok(ref !== undefined)
  tell(ref, { _tag: 'Poison' })
  await one.world.settle()
}

const initialNever = (): Step<number> => [0, []]

describe('a supervisor', () => {
  it('starts its children in order, each after the one before is ready, and drains them in reverse', async () => {
    const one = family('one_for_one', { a: {}, b: {}, c: {} })
    assert.equal(await one.tree.ready, true)
    assert.deepEqual(one.moves(), ['a.1', 'b.1', 'c.1'])
    const orphans = one.tree.drain(5_000)
    await one.world.settle()
    assert.deepEqual(await orphans, [])
    assert.deepEqual(one.moves(), ['-c', '-b', '-a'])
  })

  it('does not start the next child before this one is ready, and replaces one that takes too long', async () => {
    const one = family('one_for_one', { a: { readyMs: 500, actor: { initial: initialNever } }, b: {} })
    await one.world.advance(400)
    assert.deepEqual(one.moves(), ['a.1'])
    await one.world.advance(400)
    assert.deepEqual(one.moves(), ['a.2'])
    const faults = one.world.log.filter(record => record.event === 'fault')
    assert.equal(faults[0]?.cause, 'not_ready')
  })

  const affected: ReadonlyArray<readonly [Strategy, ReadonlyArray<number>]> = [
    ['one_for_one', [1, 2, 1]],
    ['rest_for_one', [1, 2, 2]],
    ['one_for_all', [2, 2, 2]],
  ]
  for (const [strategy, expected] of affected)
    it(`restarts whom ${strategy} names, in order, after the backoff`, async () => {
      const one = family(strategy, { a: {}, b: {}, c: {} })
      await one.world.settle()
      one.moves()
      await poison(one, 'b')
      await one.world.advance(100)
      assert.deepEqual(one.moves(), [])
      await one.world.advance(200)
      assert.deepEqual(one.incarnations(), expected)
      assert.deepEqual(
        one.moves(),
        ['a', 'b', 'c'].filter((_name, index) => expected[index] === 2).map(name => `${name}.2`),
      )
    })

  it('lets the later of two overlapping restarts decide', async () => {
    const one = family('rest_for_one', { a: {}, b: {}, c: {} })
    await one.world.settle()
    await poison(one, 'c')
    await one.world.advance(100)
    await poison(one, 'a')
    await one.world.advance(1_000)
    assert.deepEqual(one.incarnations(), [2, 2, 2])
    assert.deepEqual(
      one.world.kernel.readings().map(reading => reading.state),
      ['running', 'running', 'running'],
    )
  })

  const kinds: ReadonlyArray<readonly [RestartKind, afterFault: number, afterEnd: number]> = [
    ['permanent', 2, 2],
    ['transient', 2, 1],
    ['temporary', 1, 1],
  ]
  for (const [restart, afterFault, afterEnd] of kinds) {
    it(`brings a ${restart} child back ${afterFault === 2 ? 'after' : 'not even after'} a fault`, async () => {
      const one = family('one_for_one', { a: { restart } })
      await one.world.settle()
      await poison(one, 'a')
      await one.world.advance(1_000)
      assert.deepEqual(one.incarnations(), [afterFault])
    })
    it(`brings a ${restart} child back ${afterEnd === 2 ? 'also' : 'not'} after its normal end`, async () => {
      const one = family('one_for_one', { a: { restart, actor: { receive: () => [0, [end]] } } })
      await one.world.settle()
      await poison(one, 'a')
      await one.world.advance(1_000)
      assert.deepEqual(one.incarnations(), [afterEnd])
      assert.equal(one.world.kernel.readings()[0]?.state, afterEnd === 2 ? 'running' : 'stopped')
    })
  }

  it('keeps a budget for each child, not one for all', async () => {
    const one = family('one_for_one', { a: {}, b: {} })
    for (const name of ['a', 'b', 'a', 'b', 'a', 'b']) {
      await poison(one, name)
      await one.world.advance(2_000)
    }
    assert.deepEqual(one.incarnations(), [4, 4])
  })

  it('leaves a child down that may be abandoned, and the others do not notice ten thousand crashes', async () => {
    const one = family('one_for_one', { a: { onGiveUp: 'abandon', windowMs: 600_000 }, b: {} })
    await one.world.settle()
    const { a, b } = one.refs
    assert.ok(a !== undefined && b !== undefined)
    for (let second = 0; second < 10; second += 1) {
      for (let n = 0; n < 1_000; n += 1) tell(a, { _tag: 'Poison' })
      const answer: Promise<unknown> = ask(b, get, 10)
      await one.world.advance(1_000)
      assert.deepEqual(await answer, right(0))
    }
    const readings = one.world.kernel.readings()
    assert.deepEqual(
      readings.map(reading => [reading.state, reading.incarnation]),
      [
        ['stopped', 4],
        ['running', 1],
      ],
    )
    assert.equal(tell(a, { _tag: 'Poison' }), 'gone')
  })

  it('escalates through its groups: child, group, root', async () => {
    const world = kernelWorld()
    const place = world.kernel.place(counter('inner'))
    const limits = { strategy: 'one_for_one', restartsMax: 1, windowMs: 60_000 } as const
    const child = { restart: 'permanent', drainMs: 100 } as const
    const group = world.kernel.group(
      { id: 'group', ...limits, children: [{ id: 'inner', ...child }] },
      { inner: place.with(idlePorts) },
    )
    const codes: number[] = []
    const tree = world.kernel.run(
      { id: 'root', ...limits, children: [{ id: 'group', ...child }] },
      { group },
      notice => codes.push(notice.exitCode),
    )
    assert.equal(await tree.ready, true)
    for (const expected of [2, 3, 4]) {
      tell(place.ref, { _tag: 'Poison' })
      await world.advance(1_000)
      assert.equal(world.kernel.readings()[0]?.incarnation, expected)
      assert.deepEqual(codes, [])
    }
    tell(place.ref, { _tag: 'Poison' })
    await world.advance(1_000)
    assert.deepEqual(codes, [70])
    assert.equal(world.clock.nextMs(), null, 'no timer is left')
    assert.deepEqual(
      world.log.flatMap(record => (record.event === 'escalated' ? [record.supervisor] : [])),
      ['group', 'group', 'root'],
    )
  })

  it('asks an actor that has a drain message to end, and waits for its word', async () => {
    const one = family('one_for_one', {
      a: { actor: { drain: { _tag: 'Later', delayMs: 300, n: 0 }, receive: onDrain } },
    })
    await one.world.settle()
    const orphans = one.tree.drain(5_000)
    await one.world.advance(299)
    assert.equal(one.world.kernel.readings()[0]?.state, 'running')
    await one.world.advance(1)
    assert.deepEqual(await orphans, [])
    assert.equal(one.world.kernel.readings()[0]?.state, 'stopped')
  })

  it('ends at once on close, in the middle of a drain too', async () => {
    const one = family('one_for_one', { a: { actor: { drain: { _tag: 'Add', n: 0 } } }, b: {} })
    await one.world.settle()
    const drained = one.tree.drain(5_000)
    await one.world.settle()
    one.tree.close()
    await one.world.settle()
    assert.deepEqual(await drained, [])
    assert.deepEqual(
      one.world.kernel.readings().map(reading => reading.state),
      ['stopped', 'stopped'],
    )
  })
})

const onDrain: Counter['receive'] = (state, message) =>
  message._tag === 'Later'
    ? [state, [{ kernel: 'after', key: 'end', delayMs: message.delayMs, message: { _tag: 'Finish' } }]]
    : [state, message._tag === 'Finish' ? [end] : []]

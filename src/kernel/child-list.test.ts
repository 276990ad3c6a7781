import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type CounterMessage, counter, idlePorts } from '#test/support/kernel/counter.js'
import { kernelWorld } from '#test/support/kernel/kernel-world.js'
import { ask, type Ref, tell } from './actor/ref.js'

const childPolicy = {
  restart: 'permanent',
  drainMs: 1_000,
  restartsMax: 2,
  windowMs: 60_000,
  onGiveUp: 'abandon',
} as const
const policy = { id: 'list', strategy: 'one_for_one', restartsMax: 3, windowMs: 60_000 } as const

/** A list of counters under a root, not started yet. */
const listWorld = () => {
  const world = kernelWorld()
  const refs = new Map<string, Ref<CounterMessage>>()
  let abandoned: ReadonlyArray<string> = []
  const list = world.kernel.list({
    policy,
    childPolicy,
    make: id => {
      const place = world.kernel.place(counter(`counter ${id}`))
      refs.set(id, place.ref)
      return place.with(idlePorts)
    },
    onAbandoned: id => {
      abandoned = [...abandoned, id]
    },
  })
  const run = () =>
    world.kernel.run(
      { ...policy, id: 'root', children: [{ id: 'list', restart: 'permanent', drainMs: 1_000 }] },
      { list: list.child },
      () => undefined,
    )
  const refOf = (id: string): Ref<CounterMessage> => {
    const ref = refs.get(id)
    if (ref === undefined) throw new Error(`no child ${id}`)
    return ref
  }
  return {
    world,
    follow: list.follow,
    run,
    refOf,
    abandoned: () => abandoned,
    names: () => world.kernel.readings().map(({ actor }) => actor),
    moves: () =>
      world.log.flatMap(record =>
        record.event === 'started'
          ? [record.incarnation]
          : record.event === 'stopped'
            ? [`-${record.actor}`]
            : [],
      ),
    poison: async (id: string, times = 1) => {
      for (let round = 0; round < times; round += 1) {
        tell(refOf(id), { _tag: 'Poison' })
        await world.advance(60_000 / 100)
      }
    },
  }
}

describe('a group whose children follow a list', () => {
  it('is ready without children, and starts those that are listed later', async () => {
    const one = listWorld()
    const tree = one.run()
    equal(await tree.ready, true)
    one.follow(['a', 'b'])
    await one.world.settle()
    deepEqual(one.moves(), ['counter a.1', 'counter b.1'])
  })

  it('starts the children that were listed before it runs', async () => {
    const one = listWorld()
    one.follow(['a'])
    deepEqual(one.moves(), [])
    one.run()
    await one.world.settle()
    deepEqual(one.moves(), ['counter a.1'])
  })

  it('closes a child that leaves, and lets the others run on', async () => {
    const one = listWorld()
    one.run()
    one.follow(['a', 'b'])
    tell(one.refOf('b'), { _tag: 'Add', n: 5 })
    await one.world.settle()
    one.follow(['b', 'c'])
    await one.world.settle()
    deepEqual(one.moves(), ['counter a.1', 'counter b.1', '-counter a', 'counter c.1'])
    deepEqual(one.names(), ['counter b', 'counter c'])
    const kept = ask<CounterMessage, number>(one.refOf('b'), replyTo => ({ _tag: 'Get', replyTo }), 1_000)
    await one.world.settle()
    deepEqual(await kept, { _tag: 'Right', right: 5 })
  })

  it('places a child again that comes back, and a second entry of an id makes no second child', async () => {
    const one = listWorld()
    one.run()
    one.follow(['a', 'a'])
    one.follow([])
    one.follow(['a'])
    await one.world.settle()
    deepEqual(one.moves(), ['counter a.1', '-counter a', 'counter a.1'])
  })

  it('gives each child its own budget, and reports a child that it abandons', async () => {
    const one = listWorld()
    one.run()
    one.follow(['a', 'b'])
    await one.world.settle()
    await one.poison('b', 1)
    await one.poison('a', 3)
    deepEqual(one.abandoned(), ['a'])
    deepEqual(
      one.world.kernel.readings().map(({ incarnation }) => incarnation),
      [3, 2],
    )
    deepEqual(one.world.gaveUp, [])
  })

  it('does not start a child that left during its backoff', async () => {
    const one = listWorld()
    one.run()
    one.follow(['a'])
    await one.world.settle()
    tell(one.refOf('a'), { _tag: 'Poison' })
    await one.world.settle()
    one.follow([])
    await one.world.advance(60_000)
    deepEqual(one.moves(), ['counter a.1', '-counter a'])
  })

  it('starts a new child while another one rests', async () => {
    const one = listWorld()
    one.run()
    one.follow(['a'])
    await one.world.settle()
    tell(one.refOf('a'), { _tag: 'Poison' })
    await one.world.settle()
    one.follow(['a', 'b'])
    await one.world.settle()
    deepEqual(one.moves(), ['counter a.1', 'counter b.1'])
  })

  it('drains its children, and starts none afterwards', async () => {
    const one = listWorld()
    const tree = one.run()
    one.follow(['a', 'b'])
    await one.world.settle()
    const drained = tree.drain(5_000)
    await one.world.settle()
    deepEqual(await drained, [])
    one.follow(['a', 'b', 'c'])
    await one.world.settle()
    deepEqual(one.moves(), ['counter a.1', 'counter b.1', '-counter b', '-counter a'])
  })
})

import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { SupervisorReading } from '#protocol/host/kernel.js'
import { type CounterMessage, counter, idlePorts } from '#test/support/kernel/counter.js'
import { kernelWorld } from '#test/support/kernel/kernel-world.js'
import { type Ref, tell } from './actor/ref.js'
import type { ChildPolicy } from './supervision/supervisor-spec.js'

const child: ChildPolicy = { restart: 'permanent', drainMs: 1_000 }

/** A group of two actors with 3 restarts in 10 s each, `b` with its own policy, under a root. */
const world = (ofB: Partial<ChildPolicy> = {}) => {
  const one = kernelWorld()
  const [a, b] = [one.kernel.place(counter('a')), one.kernel.place(counter('b'))]
  const budget = { strategy: 'one_for_one', windowMs: 10_000 } as const
  const group = one.kernel.group(
    {
      id: 'group',
      ...budget,
      restartsMax: 3,
      children: [
        { id: 'a', ...child },
        { id: 'b', ...child, ...ofB },
      ],
    },
    { a: a.with(idlePorts), b: b.with(idlePorts) },
  )
  const run = () =>
    one.kernel.run(
      { id: 'root', ...budget, restartsMax: 1, children: [{ id: 'group', ...child }] },
      { group },
      () => undefined,
    )
  const poison = async (ref: Ref<CounterMessage>): Promise<void> => {
    tell(ref, { _tag: 'Poison' })
    await one.settle()
  }
  const readings = (): ReadonlyArray<SupervisorReading> => one.kernel.supervisorReadings()
  const readingOf = (id: string) => readings().find(({ supervisor }) => supervisor === id)
  const states = (): ReadonlyArray<string> => readings().map(({ state }) => state)
  const spentOf = (id: string): ReadonlyArray<unknown> => {
    const reading = readingOf(id)
    return [reading?.child, reading?.restartsInWindow, reading?.restartsMax, reading?.windowMs]
  }
  return { ...one, run, a: a.ref, b: b.ref, poison, readings, states, spentOf }
}

describe('the reading of a supervisor', () => {
  it('is there for each one from its making, with its own budget while no child restarted', async () => {
    const one = world()
    deepEqual(one.readings(), [
      {
        supervisor: 'group',
        state: 'stopped',
        child: null,
        restartsInWindow: 0,
        restartsMax: 3,
        windowMs: 10_000,
      },
    ])
    one.run()
    deepEqual(one.states(), ['starting', 'starting'])
    await one.settle()
    deepEqual(one.states(), ['running', 'running'])
    deepEqual(one.spentOf('root'), [null, 0, 1, 10_000])
  })

  it('shows the restarts of the window, which fall as time passes and nothing happens', async () => {
    const one = world()
    one.run()
    await one.settle()
    await one.poison(one.a)
    equal(one.states()[0], 'restarting')
    deepEqual(one.spentOf('group'), ['a', 1, 3, 10_000])
    await one.advance(4_000)
    equal(one.states()[0], 'running')
    await one.poison(one.a)
    await one.advance(5_999)
    deepEqual(one.spentOf('group'), ['a', 2, 3, 10_000])
    await one.advance(1)
    deepEqual(one.spentOf('group'), ['a', 1, 3, 10_000])
    await one.advance(4_000)
    deepEqual(one.spentOf('group'), [null, 0, 3, 10_000])
  })

  it('shows the child that has spent most of its budget', async () => {
    const one = world({ restartsMax: 1, windowMs: 60_000 })
    one.run()
    await one.settle()
    await one.poison(one.a)
    await one.poison(one.b)
    deepEqual(one.spentOf('group'), ['b', 1, 1, 60_000])
    await one.advance(20_000)
    deepEqual(one.spentOf('group'), ['b', 1, 1, 60_000])
  })

  it('counts no child that does not come back', async () => {
    const one = world({ restartsMax: 0, onGiveUp: 'abandon' })
    one.run()
    await one.settle()
    await one.poison(one.b)
    deepEqual([one.states()[0], one.spentOf('group')], ['running', [null, 0, 3, 10_000]])
  })

  it('rests where the supervisor gave up, and begins anew with the next start', async () => {
    const one = world({ restartsMax: 0 })
    one.run()
    await one.settle()
    await one.poison(one.b)
    deepEqual(one.states(), ['backoff', 'restarting'])
    deepEqual(one.spentOf('root'), ['group', 1, 1, 10_000])
    await one.advance(1_000)
    deepEqual(one.states(), ['running', 'running'])
    deepEqual(one.spentOf('group'), [null, 0, 3, 10_000])
    await one.poison(one.b)
    deepEqual(one.states(), ['stopped', 'stopped'])
  })

  it('says so while it drains, and when it has ended', async () => {
    const one = world()
    const tree = one.run()
    await one.settle()
    tell(one.b, { _tag: 'Later', delayMs: 10, n: 1 })
    const drained = tree.drain(5_000)
    deepEqual(one.states(), ['draining', 'draining'])
    await one.settle()
    deepEqual(await drained, [])
    deepEqual(one.states(), ['stopped', 'stopped'])
  })
})

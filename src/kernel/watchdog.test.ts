import assert from 'node:assert/strict'
import { counter, idlePorts } from '#test/support/kernel/counter.js'
import { makeCountingMeter } from '#test/support/kernel/kernel-meter.js'
import { kernelWorld } from '#test/support/kernel/kernel-world.js'
import { virtualClock } from '#test/support/kernel/virtual-clock.js'
import { tell } from './actor/ref.js'
import type { KernelClock } from './time/clock.js'

const hanging = { work: () => new Promise<number>(() => undefined) }

describe('the watchdog', () => {
  it('replaces an actor whose effect gives no echo for 30 s, and fires its signal', async () => {
    const meter = makeCountingMeter()
    const world = kernelWorld({ meter })
    const signals: AbortSignal[] = []
    const { ref } = await world.alone(counter('c'), {
      work: (_n, given) => {
        signals.push(given)
        return hanging.work()
      },
    })
    tell(ref, { _tag: 'Work', n: 1 })
    await world.advance(34_000)
    assert.equal(world.kernel.readings()[0]?.state, 'running')
    await world.advance(1_000)
    assert.equal(world.kernel.readings()[0]?.state, 'stuck')
    assert.deepEqual(
      signals.map(signal => signal.aborted),
      [true],
    )
    await world.advance(1_000)
    assert.equal(world.kernel.readings()[0]?.incarnation, 2)
    assert.deepEqual([meter.count('c/done/timeout'), meter.count('c/restarted/stuck')], [1, 1])
  })

  it('lets an actor have more time that asks for it', async () => {
    const world = kernelWorld()
    const { ref } = await world.alone({ ...counter('c'), stuckMs: 300_000 }, hanging)
    tell(ref, { _tag: 'Work', n: 1 })
    await world.advance(299_000)
    assert.equal(world.kernel.readings()[0]?.incarnation, 1)
    await world.advance(10_000)
    assert.equal(world.kernel.readings()[0]?.incarnation, 2)
  })

  it('does not take a long queue of short effects for a stuck one', async () => {
    const world = kernelWorld()
    const slow = (n: number): Promise<number> =>
      new Promise(resolve => world.clock.after(6_000, () => resolve(n)))
    const { ref } = await world.alone(counter('c'), { work: slow })
    for (let n = 0; n < 20; n += 1) tell(ref, { _tag: 'Work', n })
    await world.advance(130_000)
    const reading = world.kernel.readings()[0]
    assert.deepEqual([reading?.incarnation, reading?.waiting], [1, 0])
  })

  it('makes allowance for a process that stood still', async () => {
    const clock = virtualClock(0)
    let lagMs = 0
    const lagging: KernelClock = { ...clock, monotonicMs: () => clock.monotonicMs() + lagMs }
    const world = kernelWorld({ clock: lagging })
    const slow = (n: number): Promise<number> => new Promise(resolve => clock.after(12_000, () => resolve(n)))
    const { ref } = await world.alone(counter('c'), { work: slow })
    tell(ref, { _tag: 'Work', n: 1 })
    await clock.advance(6_000, world.settle)
    lagMs = 3_600_000
    await clock.advance(20_000, world.settle)
    assert.equal(world.kernel.readings()[0]?.incarnation, 1)
  })

  it('counts turns that hold up the loop', async () => {
    const meter = makeCountingMeter()
    const clock = virtualClock(0)
    let spentMs = 0
    const world = kernelWorld({
      meter,
      clock: { ...clock, monotonicMs: () => clock.monotonicMs() + spentMs },
    })
    const { ref } = await world.alone(
      {
        ...counter('c'),
        receive: state => {
          spentMs += 300
          return [state, []]
        },
      },
      idlePorts,
    )
    tell(ref, { _tag: 'Add', n: 1 })
    await world.settle()
    assert.equal(meter.count('c/long'), 1)
  })
})

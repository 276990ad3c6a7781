import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { tell } from '#src/kernel/actor/ref.js'
import { type KernelWorld, kernelWorld } from '#test/support/kernel/kernel-world.js'
import { type ReaderPoolPorts, readerPool } from './reader-pool.js'

interface Seen {
  readonly world: KernelWorld
  /** `<what> <thread>` in order, each with its time. */
  readonly log: ReadonlyArray<readonly [what: string, atMs: number]>
  readonly ports: ReaderPoolPorts
}

const readerPoolRig = (): Seen => {
  const world = kernelWorld()
  const log: Array<readonly [string, number]> = []
  const note = (what: string): Promise<void> => {
    log.push([what, world.clock.monotonicMs()])
    return Promise.resolve()
  }
  return {
    world,
    log,
    ports: {
      reset: () => note('reset'),
      start: thread => void note(`start ${thread}`),
      end: thread => void note(`end ${thread}`),
      close: () => note('close'),
    },
  }
}

const whats = ({ log }: Seen): ReadonlyArray<string> => log.map(([what]) => what)

describe('the reader pool', () => {
  it('starts every thread at its start, and closes them at its drain', async () => {
    const all = readerPoolRig()
    const { tree } = await all.world.alone(readerPool(2), all.ports)
    equal(await tree.ready, true)
    deepEqual(whats(all), ['reset', 'start 0', 'start 1'])
    const drained = tree.drain(1_000)
    await all.world.settle()
    deepEqual([await drained, whats(all).at(-1)], [[], 'close'])
  })

  it('starts a thread again that ended, ever later, and forgets after a minute', async () => {
    const all = readerPoolRig()
    const { ref, tree } = await all.world.alone(readerPool(2), all.ports)
    tell(ref, { _tag: 'Up', thread: 0 })
    const delays: Array<number> = []
    const endOnce = async (afterMs: number): Promise<void> => {
      await all.world.advance(afterMs)
      const atMs = all.world.clock.monotonicMs()
      tell(ref, { _tag: 'Ended', thread: 1 })
      await all.world.advance(10_000)
      const [what, startedMs] = all.log.at(-1) ?? ['nothing', 0]
      equal(what, 'start 1')
      tell(ref, { _tag: 'Up', thread: 1 })
      delays.push(startedMs - atMs)
    }
    for (const afterMs of [0, 0, 0, 120_000]) await endOnce(afterMs)
    const [first = 0, second = 0, third = 0, fresh = 0] = delays
    ok(first >= 160 && first <= 240, `${first}`)
    ok(second >= 320 && third >= 640, `${second}, ${third}`)
    ok(fresh <= 240, `${fresh}`)
    equal(whats(all).filter(what => what === 'start 0').length, 1)
    tree.close()
  })

  it('ends a thread that is not up after half a minute, and no other', async () => {
    const all = readerPoolRig()
    const { ref, tree } = await all.world.alone(readerPool(2), all.ports)
    tell(ref, { _tag: 'Up', thread: 0 })
    await all.world.advance(31_000)
    deepEqual(whats(all).slice(3), ['end 1'])
    tell(ref, { _tag: 'Ended', thread: 1 })
    await all.world.advance(1_000)
    tell(ref, { _tag: 'Up', thread: 1 })
    await all.world.advance(60_000)
    deepEqual(whats(all).slice(3), ['end 1', 'start 1'])
    tree.close()
  })
})

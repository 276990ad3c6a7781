import { deepEqual } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { tell } from '#src/kernel/actor/ref.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import { type KernelWorld, kernelWorld } from '#test/support/kernel/kernel-world.js'
import { artifactCopier } from './artifact-copier.js'

describe('the artifact copier', () => {
  let world: KernelWorld
  let tree: ActorTree
  afterEach(() => tree.close())

  const start = async (lacks: () => boolean) => {
    world = kernelWorld()
    const made: Array<string> = []
    const copies: Array<(asked: number) => void> = []
    const placed = await world.alone(artifactCopier({ intervalMs: 60_000 }), {
      stamp: () => {
        made.push('stamp')
        return Promise.resolve(lacks())
      },
      copy: () => {
        made.push('copy')
        return new Promise<number>(resolve => void copies.push(resolve))
      },
    })
    tree = placed.tree
    const wake = async (): Promise<void> => {
      tell(placed.ref, { _tag: 'Wake' })
      await world.advance(0)
    }
    const end = async (asked: number): Promise<void> => {
      copies.shift()?.(asked)
      await world.advance(0)
    }
    await world.advance(0)
    return { made, wake, end }
  }

  it('reads the stamp at its start, when it is woken and once in an interval, and copies nothing that is fresh', async () => {
    const { made, wake } = await start(() => false)
    deepEqual(made, ['stamp'])
    await wake()
    await world.advance(60_000)
    deepEqual(made, ['stamp', 'stamp', 'stamp'])
  })

  it('makes one copy at a time, however often it is woken', async () => {
    const { made, wake, end } = await start(() => true)
    deepEqual(made, ['stamp', 'copy'])
    for (let nth = 0; nth < 5; nth += 1) await wake()
    await world.advance(59_999)
    deepEqual(made, ['stamp', 'copy'])
    await end(1)
    deepEqual(made, ['stamp', 'copy', 'stamp'], 'the stamp is read once for all wakes')
  })

  it('waits an interval after a copy that asked a town', async () => {
    const { made, wake, end } = await start(() => true)
    await end(1)
    for (let nth = 0; nth < 5; nth += 1) await wake()
    await world.advance(59_999)
    deepEqual(
      made.filter(one => one === 'copy'),
      ['copy'],
    )
    await world.advance(1)
    deepEqual(made.slice(-2), ['stamp', 'copy'])
  })

  it('copies at the next wake where no town could be asked', async () => {
    const { made, wake, end } = await start(() => true)
    await end(0)
    deepEqual(made, ['stamp', 'copy'])
    await wake()
    deepEqual(made, ['stamp', 'copy', 'stamp', 'copy'])
  })
})

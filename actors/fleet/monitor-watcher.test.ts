import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import type { ActorTree } from '#src/kernel/run-tree.js'
import { type KernelWorld, kernelWorld } from '#test/support/kernel/kernel-world.js'
import { monitorWatcher } from './monitor-watcher.js'

describe('the monitor watcher', () => {
  let world: KernelWorld
  let tree: ActorTree
  afterEach(() => tree.close())

  const watch = async (isConfigured: boolean) => {
    world = kernelWorld()
    const made: Array<string> = []
    const ends: Array<() => void> = []
    const placed = await world.alone(monitorWatcher({ isConfigured, intervalMs: 60_000 }), {
      fetch: () => {
        made.push('fetch')
        return new Promise(resolve => void ends.push(() => resolve({ _tag: 'Failed', why: 'timeout' })))
      },
      record: ({ _tag }) => void made.push(_tag),
    })
    tree = placed.tree
    return { made, ends }
  }

  it('fetches one document at a time, each an interval after the one before', async () => {
    const { made, ends } = await watch(true)
    await world.advance(20_000)
    deepEqual(made, ['fetch'])
    ends.shift()?.()
    await world.advance(59_999)
    deepEqual(made, ['fetch', 'Failed'])
    await world.advance(1)
    deepEqual(made, ['fetch', 'Failed', 'fetch'])
  })

  it('fetches nothing without an address', async () => {
    const { made } = await watch(false)
    await world.advance(600_000)
    equal(made.length, 0)
  })
})

import { equal, notEqual } from 'node:assert/strict'
import { makeNamesWorld } from '#test/support/names-world.js'
import { shareRebuild } from './names.js'

const world = makeNamesWorld()

describe('a rebuild of the index of names', () => {
  it('is shared by requests that come while it runs, and begun again after it', async () => {
    let readings = 0
    const node = { monotonicMs: () => (readings += 1) }
    const first = shareRebuild(world, node)
    const others = Array.from({ length: 19 }, () => shareRebuild(world, node))
    for (const other of others) equal(other, first)
    const { indexStats } = await first
    equal(readings, 2)
    const again = shareRebuild(world, node)
    notEqual(again, first)
    equal((await again).indexStats.stems, indexStats.stems)
  })
})

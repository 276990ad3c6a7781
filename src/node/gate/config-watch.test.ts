import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { configBounds } from '#protocol/bounds.js'
import { readConfig } from '#src/domain/config/read-config.js'
import { makeCell } from '#src/snapshot/cell.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { worldOf } from '#test/support/world.js'
import { configWatch } from './watch.js'

const path = '.svc/config.json'

/** A snapshot that counts how often the text of its configuration is read. */
const makeWatchedWorld = (text: string): { readonly snapshot: Snapshot; readonly reads: () => number } => {
  const world = worldOf({ [path]: text })
  const file = world.files.get(path)
  if (file === undefined) throw new Error('the world has no configuration')
  let reads = 0
  const counting = {
    ...file,
    get text() {
      reads += 1
      return file.text
    },
  }
  return { snapshot: { ...world, files: new Map([...world.files, [path, counting]]) }, reads: () => reads }
}

const openWatch = () => {
  const held = makeCell<{ readonly build: { readonly snapshot: Snapshot } }>()
  const sight = configWatch(readConfig(null).config, { pins: {}, given: {} }, held)
  return { sight, publish: (snapshot: Snapshot) => held.set({ build: { snapshot } }) }
}

describe('the committed configuration as a host sees it', () => {
  it('is read when a snapshot is published, and never where somebody asks', () => {
    const { sight, publish } = openWatch()
    equal(sight()._tag, 'Same')
    const first = makeWatchedWorld('{"server": {"port": 8123}}')
    publish(first.snapshot)
    const reads = first.reads()
    for (let ask = 0; ask < 10; ask += 1) equal(sight()._tag, 'Differs')
    deepEqual([reads > 0, first.reads()], [true, reads])
  })

  it('is not read again by a commit that leaves it as it was', () => {
    const { sight, publish } = openWatch()
    publish(makeWatchedWorld('{"server": {"port": 8123}}').snapshot)
    const next = makeWatchedWorld('{"server": {"port": 8123}}')
    publish(next.snapshot)
    deepEqual([sight()._tag, next.reads()], ['Differs', 0])
    publish(makeWatchedWorld('{').snapshot)
    equal(sight()._tag, 'Broken')
  })

  it('is broken above its bounds, and where it is left out of the tree', () => {
    const { sight, publish } = openWatch()
    const values = `{"x": [${Array.from({ length: configBounds.values }, () => 0).join()}]}`
    for (const text of [`{}${' '.repeat(configBounds.bytes)}`, values]) {
      publish(makeWatchedWorld(text).snapshot)
      equal(sight()._tag, 'Broken')
      publish(worldOf({}))
      equal(sight()._tag, 'Same')
    }
    publish({ ...worldOf({}), leftOut: new Set([path]) })
    equal(sight()._tag, 'Broken')
  })
})

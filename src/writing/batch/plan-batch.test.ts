import { deepEqual } from 'node:assert/strict'
import { right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { batchOf } from '#test/support/batches.js'
import { repoPathOf } from '#test/support/landing-rig.js'
import { worldOf } from '#test/support/world.js'
import type { WritePlan } from '../command.js'

const world = worldOf({ '.svc/format.json': '{"format": 2}' })

/** A write of a file of its own; an empty path changes nothing. */
const writeTo =
  (path: string): WritePlan<unknown> =>
  () =>
    right({
      edits: path === '' ? [] : [{ _tag: 'Whole', path: repoPathOf(path), before: null, after: 'x\n' }],
      claims: [],
      touches: [],
      subject: 'test',
      answer: {},
      preview: {},
    })

const sortPaths = (...paths: ReadonlyArray<string>) => {
  const { ready, same, deferred } = batchOf(world, paths.map(writeTo))
  return { ready: ready.map(({ at }) => at), same: same.map(({ at }) => at), deferred }
}

describe('a batch', () => {
  for (const path of [
    'kontrybutorzy.md',
    '.svc/roles.json',
    '.svc/grants.json',
    '.svc/bindings.json',
    '.svc/fleet-keys.json',
  ])
    it(`ends with a write of ${path}: whether the later ones may be made is asked on what it leaves`, () => {
      deepEqual(sortPaths('encje/a.md', path, 'encje/b.md', ''), {
        ready: [0, 1],
        same: [],
        deferred: [2, 3],
      })
    })

  it('goes on behind writes of lore, and behind one of rights that changes nothing', () => {
    deepEqual(sortPaths('encje/a.md', '', 'encje/b.md'), { ready: [0, 2], same: [1], deferred: [] })
  })
})

import { ok } from 'node:assert/strict'
import { before, describe, it } from 'mocha'
import { fillNameForms } from '#src/domain/names/name-index.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { buildSnapshot, buildSnapshotInSlices } from '#src/snapshot/build.js'
import { loadWorlds } from '#test/support/hostile/load-worlds.js'
import { growsAsALine } from '#test/support/processor-time.js'
import { skipUnlessWhole } from '#test/support/runs.js'
import { inputsOf } from '#test/support/world.js'

const seed = 1

/** Worlds of one file or one session of `n` items, which a build goes through without holding up the loop. */
const restful: ReadonlySet<string> = new Set([
  'changes with falling dates in one session',
  'changes with dates in no order in one session',
  'changes of nobody in one session',
  'transfers over deleted purses',
  'transfers of nobody in one session',
  'many PU batches',
])
const itemsPerRest = 64

/** Builds a world as far as the first request needs it: a snapshot may leave the forms of its names to that. */
const buildWithForms = (files: Readonly<Record<string, string>>): void => {
  const { snapshot } = buildSnapshot(inputsOf(files), null)
  atOnce(fillNameForms(snapshot.names))
}

/** Whoever may push may commit such lore, and every start of every host would read it again. */
describe('reading hostile lore', () => {
  before(skipUnlessWhole)

  for (const { what, n, files } of loadWorlds)
    it(`takes time that grows with the lore: ${what}`, () => {
      const worlds = new Map([n, 4 * n].map(size => [size, files(size, seed)] as const))
      ok(growsAsALine(n, size => buildWithForms(worlds.get(size) ?? {})))
    }).timeout(300_000)

  for (const { what, n, files } of loadWorlds.filter(world => restful.has(world.what)))
    it(`rests while it is read: ${what}`, () => {
      let rests = 0
      for (const work = buildSnapshotInSlices(inputsOf(files(n, seed)), null); work.next().done !== true; )
        rests += 1
      ok(rests >= n / itemsPerRest, `${rests} rests`)
    })
})

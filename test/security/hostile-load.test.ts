import { ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { build } from '#src/corpus/build.js'
import { loadWorlds } from '#test/support/hostile/load-worlds.js'
import { growsAsALine } from '#test/support/processor-time.js'
import { inputsOf } from '#test/support/world.js'

const seed = 1

/** Whoever may push may commit such lore, and every start of every host would read it again. */
describe('reading hostile lore', () => {
  for (const { what, n, files } of loadWorlds)
    it(`takes time that grows with the lore: ${what}`, () => {
      const worlds = new Map([n, 4 * n].map(size => [size, files(size, seed)] as const))
      ok(growsAsALine(n, size => build(inputsOf(worlds.get(size) ?? {}), null)))
    }).timeout(300_000)
})

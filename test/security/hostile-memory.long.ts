import { deepEqual } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { before, describe, it } from 'mocha'
import { largeWorlds } from '#test/support/hostile/large-worlds.js'
import { skipUnlessWhole } from '#test/support/runs.js'

const program = fileURLToPath(new URL('../support/hostile/load-run.ts', import.meta.url))
const limitMs = 300_000

/** A process that has not enough memory ends, and so would the daemon, at every start. */
describe('a load within a bound of memory', () => {
  before(skipUnlessWhole)

  for (const { what, heapMb, leftOut } of largeWorlds.filter(world => world.heapMb <= 512))
    it(`takes less than ${heapMb} MB for ${what}, and says what it leaves out`, async () => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [`--max-old-space-size=${heapMb}`, '--conditions=source', '--import=tsx', program, what],
        { timeout: limitMs },
      )
      deepEqual(JSON.parse(stdout), leftOut)
    }).timeout(limitMs)
})

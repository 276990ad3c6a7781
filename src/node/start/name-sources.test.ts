import { deepEqual, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { temporaryFolder, writeFiles } from '#test/support/repository.js'
import { sourceFrames } from './checkout.js'

/** Line 3 is line 2 of the source. */
const mapOfThirdLine = { version: 3, sources: ['../src/fail.ts'], names: [], mappings: ';;AACA' }
const program = `// built
// program
const fail = () => new Error('failed')
export const error = fail()
`

describe('the frames of a stack', () => {
  let folder: ReturnType<typeof temporaryFolder>
  const before: unknown = Reflect.get(Error, 'prepareStackTrace')
  beforeEach(() => {
    folder = temporaryFolder()
    const format = sourceFrames()
    Error.prepareStackTrace = (_, frames) => format(frames.slice(0, 1))
  })
  afterEach(() => {
    Reflect.set(Error, 'prepareStackTrace', before)
    folder.dispose()
  })

  const builtUrl = (): string => pathToFileURL(join(folder.path, 'dist/fail.mjs')).href
  const firstFrame = async (maps: Readonly<Record<string, string>>): Promise<string | undefined> => {
    writeFiles(folder.path, { 'dist/fail.mjs': program, ...maps })
    const built: unknown = await import(builtUrl())
    ok(typeof built === 'object' && built !== null && 'error' in built && built.error instanceof Error)
    return built.error.stack
  }

  it('name the source where the file has a map', async () => {
    deepEqual(
      await firstFrame({ 'dist/fail.mjs.map': JSON.stringify(mapOfThirdLine) }),
      `\n    at fail (${join(folder.path, 'src/fail.ts')}:2:1)`,
    )
  })

  for (const [what, maps] of [
    ['has no map', {}],
    ['has half a map', { 'dist/fail.mjs.map': '{"version": 3' }],
  ] as const)
    it(`name the file where it ${what}`, async () => {
      deepEqual(await firstFrame(maps), `\n    at fail (${builtUrl()}:3:20)`)
    })
})

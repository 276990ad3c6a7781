import { readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context, Suite } from 'mocha'
import { observations } from '#test/support/observations.js'

/** What the contract asks of the run of all tests; `.mocharc.json` loads it, other runs do not see it. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const folders = ['protocol', 'src', 'actors', 'supervisors', 'test']

const testFiles = (): ReadonlyArray<string> =>
  folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.test.ts'))
      .map(path => join(root, folder, path)),
  )

const filesOf = (suite: Suite): ReadonlyArray<string> => [
  ...(suite.file === undefined ? [] : [resolve(suite.file)]),
  ...suite.tests.flatMap(test => (test.file === undefined ? [] : [resolve(test.file)])),
  ...suite.suites.flatMap(filesOf),
]

/** Tests that neither ran nor said why: the run was narrowed by name, or a hook before them failed. */
const unrun = (suite: Suite): number =>
  suite.tests.filter(test => test.state === undefined && !test.isPending()).length +
  suite.suites.reduce((sum, inner) => sum + unrun(inner), 0)

/** The test files of the project when this run began. */
const wanted = testFiles()

const missingFrom = (suite: Suite): ReadonlyArray<string> => {
  const loaded = new Set(filesOf(suite))
  return wanted.filter(file => !loaded.has(file))
}

const tell = (why: string): void =>
  void process.stdout.write(`\n  the contract over the whole run: not checked, ${why}\n`)

/** Why the run of a suite is not whole, told where it nearly is; null where it is. */
const whyPartial = (suite: Suite): string | null => {
  const missing = missingFrom(suite)
  if (missing.length > 0) return `without ${missing.map(file => relative(root, file)).join(', ')}`
  const left = unrun(suite)
  return left > 0 ? `${left} tests did not run` : null
}

const isNearlyWhole = (suite: Suite): boolean => missingFrom(suite).length * 2 < wanted.length

export const mochaHooks = {
  async afterAll(this: Context): Promise<void> {
    const suite = this.test?.parent
    if (suite === undefined || !isNearlyWhole(suite)) return
    const why = whyPartial(suite)
    if (why !== null) {
      tell(why)
      return
    }
    // Mocha requires test files, this imports: the modules may be second copies, so the answers are handed over.
    const { assertWholeRun } = await import('./verdict.js')
    assertWholeRun(observations)
  },
}

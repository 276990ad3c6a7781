import { deepEqual } from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context, Suite } from 'mocha'
import { nameSources } from '#src/node/start/checkout.js'
import { takeObservations } from '#test/support/observations.js'
import { secrets } from '#test/support/secrets/secrets.js'
import { addParts, emptyPart, type Part, readParts, writePart } from './part.js'
import { makeRunFolder, useRunFolder } from './run-folder.js'
import { sourceOf } from './transpiled.js'

/**
 * The verdicts over a whole test run: every answer fits the contract, every row and refusal occurred, no
 * secret was printed. `.mocharc.cjs` and `run-tests.ts` load this file. Each process writes its part to a folder after each
 * test file; the process that started the run adds the parts, so the verdicts are the same for `mocha` and
 * `mocha --parallel`. With `KRONIKA_TEST_PARTS=DIR` the parts of several runs add up in that folder.
 */

// For a run of transpiled sources.
nameSources()

const folderVariable = 'KRONIKA_TEST_RUN'

/** Where the parts of this run lie. */
const partsFolder = (run: string): string => process.env['KRONIKA_TEST_PARTS'] ?? run
const root = fileURLToPath(new URL('../..', import.meta.url))
const folders = ['protocol', 'src', 'actors', 'supervisors', 'test']

const testFiles = (): ReadonlyArray<string> =>
  folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.test.ts'))
      .map(path => join(root, folder, path)),
  )

const filesOf = (suite: Suite): ReadonlyArray<string> => [
  ...(suite.file === undefined ? [] : [sourceOf(resolve(suite.file))]),
  ...suite.tests.flatMap(test => (test.file === undefined ? [] : [sourceOf(resolve(test.file))])),
  ...suite.suites.flatMap(filesOf),
]

const countUnrun = (suite: Suite): number =>
  suite.tests.filter(test => test.state === undefined && !test.isPending()).length +
  suite.suites.reduce((sum, inner) => sum + countUnrun(inner), 0)

/** The part of one suite, without the secrets, which are counted per process. */
const partOf = async (suite: Suite): Promise<Part> => {
  const observed = takeObservations()
  const part = { ...emptyPart, files: [...new Set(filesOf(suite))], unrun: countUnrun(suite) }
  if (observed.length === 0) return part
  // Imported here: the check compiles the whole OpenAPI document, which the run of one unit test does not
  // need.
  const { checkAnswers } = await import('#test/contract/verdict.js')
  const { offences, answered, refused, refusedBy } = checkAnswers(observed)
  return {
    ...part,
    answers: observed.length,
    offences,
    answered: [...answered],
    refused: [...refused],
    refusedBy: [...refusedBy],
  }
}

let ofThisProcess = emptyPart

export const mochaHooks = {
  async afterAll(this: Context): Promise<void> {
    const suite = this.test?.parent
    const folder = process.env[folderVariable]
    if (suite === undefined || folder === undefined) return
    ofThisProcess = addParts(ofThisProcess, await partOf(suite))
    writePart(partsFolder(folder), { ...ofThisProcess, secrets: secrets.counts(), leaks: secrets.leaks() })
  },
}

// A worker inherits the folder from the process that started the run.
const inherited = process.env[folderVariable]
if (inherited !== undefined) useRunFolder(inherited)

export const mochaGlobalSetup = (): void => {
  const run = makeRunFolder()
  process.env[folderVariable] = run
  useRunFolder(run)
}

const print = (line: string): void => void process.stdout.write(`\n  ${line}\n`)

const judgeSecrets = ({ secrets: { secrets: planted, outputs, chars }, leaks }: Part): void => {
  if (outputs === 0) return
  print(
    `secrets: ${planted} searched for in ${outputs} outputs of ${(chars / 1e6).toFixed(1)} million characters`,
  )
  deepEqual(leaks, [], 'a secret stands where it must not')
}

const namedMax = 5

/** Why the run is not complete; null where it is. */
const whyPartial = (missing: ReadonlyArray<string>, unrun: number): string | null => {
  const named = missing.slice(0, namedMax).map(file => relative(root, file))
  const rest = missing.length - named.length
  if (missing.length > 0) return `without ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  return unrun > 0 ? `${unrun} tests did not run` : null
}

const judgeContract = async (part: Part): Promise<void> => {
  const wanted = testFiles()
  const loaded = new Set(part.files)
  const missing = wanted.filter(file => !loaded.has(file))
  if (missing.length * 2 >= wanted.length) return
  const why = whyPartial(missing, part.unrun)
  if (why !== null)
    return print(`the contract over the whole run: not checked, ${why}; npm run test:all checks it`)
  const { assertWholeRun } = await import('#test/contract/verdict.js')
  assertWholeRun(part)
}

export const mochaGlobalTeardown = async (): Promise<void> => {
  const folder = process.env[folderVariable]
  if (folder === undefined) return
  const part = readParts(partsFolder(folder))
  rmSync(folder, { recursive: true, force: true })
  judgeSecrets(part)
  await judgeContract(part)
}

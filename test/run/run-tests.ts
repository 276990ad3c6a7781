import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildProgram } from '#test/support/build.js'
import { root, sources } from '#test/tidy/sources.js'
import { readParts } from './part.js'
import { orderFiles, type Tier, tiersOf } from './tiers.js'
import { transpileSources } from './transpile-sources.js'
import { sourceOf } from './transpiled.js'

/**
 * Runs the test files of some tiers: `run-tests.ts quick` for `npm test`, `fast` for `npm run test:fast`, `all` for
 * `npm run test:all`. Builds the program first where a source is newer than the build. Further arguments reach mocha.
 *
 * With `KRONIKA_TEST_PARTS=DIR` the results of several runs add up in that folder: a run passes over the files that an earlier
 * one finished, and the last one judges all of them (`whole-run.ts`).
 */

const tiersOfRun: Readonly<Record<string, ReadonlyArray<Tier>>> = {
  fast: ['pure'],
  quick: ['pure', 'smoke'],
  all: ['pure', 'smoke', 'rest'],
}

/** Runs a program of node_modules and returns its exit code; 1 where a signal ended it. */
const runProgram = (program: string, args: ReadonlyArray<string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', code => resolve(code ?? 1))
  })

/** The files that earlier runs of the same folder of parts finished. */
const listFinished = (): ReadonlySet<string> => {
  const folder = process.env['KRONIKA_TEST_PARTS']
  const files = folder === undefined || !existsSync(folder) ? [] : readParts(folder).files
  return new Set(files.map(file => relative(root, sourceOf(file))))
}

const [run = '', ...args] = process.argv.slice(2)
const wanted = tiersOfRun[run]
if (wanted === undefined) throw new Error(`${run} is no run: ${Object.keys(tiersOfRun).join(', ')}`)
const finished = listFinished()
const chosen = orderFiles(
  new Map([...tiersOf(sources)].filter(([path, tier]) => wanted.includes(tier) && !finished.has(path))),
)

if (run !== 'fast') buildProgram()
const folder = await transpileSources()
const options = run === 'fast' ? ['--require', 'test/run/no-children.ts'] : []
const paths = ['--require', 'test/run/whole-run.ts', ...options, ...args, ...chosen].map(arg =>
  arg.endsWith('.ts') ? join(folder, arg.replace(/\.ts$/, '.js')) : arg,
)
process.exitCode = await runProgram('npx', [
  'mocha',
  '--config',
  'test/run/transpiled.mocharc.cjs',
  '--parallel',
  '--reporter',
  'dot',
  ...paths,
])

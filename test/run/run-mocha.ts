import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '#test/tidy/sources.js'
import { transpileSources } from './transpile-sources.js'

/** Runs a program of node_modules and returns its exit code; 1 where a signal ended it. */
const runProgram = (...args: ReadonlyArray<string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn('npx', args, { cwd: root, stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', code => resolve(code ?? 1))
  })

/**
 * Runs mocha in parallel on transpiled sources and returns its exit code. Arguments that name a source, from
 * the root of the project, name its transpiled file instead. The arguments of the command line come last.
 */
export const runMocha = async (args: ReadonlyArray<string>): Promise<number> => {
  const folder = await transpileSources()
  const transpiled = ['--require', 'test/run/whole-run.ts', ...args].map(arg =>
    arg.endsWith('.ts') ? join(folder, arg.replace(/\.ts$/, '.js')) : arg,
  )
  return runProgram(
    'mocha',
    '--config',
    'test/run/transpiled.mocharc.cjs',
    '--parallel',
    ...transpiled,
    ...process.argv.slice(2),
  )
}

/** Checks the types of the program, as `npm run build` does, and returns the exit code of tsc. */
export const checkTypes = (): Promise<number> => runProgram('tsc', '-p', 'tsconfig.build.json')

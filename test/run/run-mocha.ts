import { spawn } from 'node:child_process'
import { root } from '#test/tidy/sources.js'

/** Runs a program of node_modules and returns its exit code; 1 where a signal ended it. */
const runProgram = (...args: ReadonlyArray<string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn('npx', args, { cwd: root, stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', code => resolve(code ?? 1))
  })

/** Runs mocha in parallel and returns its exit code. The arguments of the command line come last. */
export const runMocha = (args: ReadonlyArray<string>): Promise<number> =>
  runProgram('mocha', '--parallel', ...args, ...process.argv.slice(2))

/** Checks the types of the program, as `npm run build` does, and returns the exit code of tsc. */
export const checkTypes = (): Promise<number> => runProgram('tsc', '-p', 'tsconfig.build.json')

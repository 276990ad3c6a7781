import { spawn } from 'node:child_process'
import { root } from '#test/tidy/sources.js'

/** Runs a program of node_modules with what it prints and answers its exit code; 1 where a signal ended it. */
const runProgram = (...args: ReadonlyArray<string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn('npx', args, { cwd: root, stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', code => resolve(code ?? 1))
  })

/** Runs mocha over the processors and answers its exit code. The arguments of the command line come last. */
export const runMocha = (args: ReadonlyArray<string>): Promise<number> =>
  runProgram('mocha', '--parallel', ...args, ...process.argv.slice(2))

/** Checks the types of the program, as `npm run build` does, and answers the exit code of tsc. */
export const checkTypes = (): Promise<number> => runProgram('tsc', '-p', 'tsconfig.build.json')

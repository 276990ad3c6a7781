import { spawnSync } from 'node:child_process'
import { root } from '#test/tidy/sources.js'

/** Runs mocha over the processors and answers its exit code. The arguments of the command line come last. */
export const runMocha = (args: ReadonlyArray<string>): number =>
  spawnSync('npx', ['mocha', '--parallel', ...args, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  }).status ?? 1

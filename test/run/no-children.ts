import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import workerThreads from 'node:worker_threads'

/**
 * For `npm run test:fast`: a test that starts a process or a thread fails, with a message that says where it
 * belongs.
 */

const refuse = (): never => {
  throw new Error('a test of test:fast starts no process and no thread; see test/run/tiers.ts')
}

const starters = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const

export const mochaHooks = {
  beforeAll(): void {
    for (const name of starters) Reflect.set(childProcess, name, refuse)
    Reflect.set(workerThreads, 'Worker', refuse)
    syncBuiltinESMExports()
  },
}

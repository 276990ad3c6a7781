import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { fastFilesOf } from './fast-files.js'

const source = (path: string, ...lines: ReadonlyArray<string>) => ({ path, text: lines.join('\n') })

describe('the files of test:fast', () => {
  it('leave out what starts a process or a thread, however far away', () => {
    deepEqual(
      fastFilesOf([
        source('src/git.ts', "import { spawn } from 'node:child_process'"),
        source('src/host.ts', "import { git } from './git.js'", "import type { Pure } from './pure.js'"),
        source('src/pure.ts', 'export type Pure = 1'),
        source('src/git.test.ts', "import { host } from '#src/host.js'"),
        source('src/thread.test.ts', 'import {', '  Worker,', "} from 'node:worker_threads'"),
        source('src/pure.test.ts', "import type { Host } from '#src/host.js'"),
        source('test/simulation/node/simulate.test.ts', "import type { Pure } from '#src/pure.js'"),
      ]),
      ['src/pure.test.ts'],
    )
  })
})

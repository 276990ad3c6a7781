import { spawnSync } from 'node:child_process'
import { sources } from '#test/tidy/sources.js'
import { fastFilesOf } from './fast-files.js'

/** `npm run test:fast`: what starts no git, no thread and no daemon; what a developer runs after each edit. */

const { status } = spawnSync(
  'npx',
  [
    'mocha',
    '--parallel',
    '--reporter',
    'dot',
    '--require',
    './test/run/no-children.ts',
    ...fastFilesOf(sources),
  ],
  { stdio: 'inherit' },
)
process.exitCode = status ?? 1

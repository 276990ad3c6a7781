import { availableParallelism } from 'node:os'
import { sources } from '#test/tidy/sources.js'
import { fastFilesOf } from './fast-files.js'
import { orderFiles } from './order-files.js'
import { runMocha } from './run-mocha.js'

/** `npm run test:fast`: the tests that start no git, no thread and no daemon; to run after each edit. */
process.exitCode = await runMocha([
  // These tests never wait, so one job more than processors would only load the program once more.
  '--jobs',
  String(Math.max(2, availableParallelism())),
  '--reporter',
  'dot',
  '--require',
  'test/run/no-children.ts',
  ...orderFiles(fastFilesOf(sources), new Set()),
])

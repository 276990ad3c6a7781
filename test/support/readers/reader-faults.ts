/**
 * A module loaded before the built daemon, which makes its reader threads end in a given way when they are
 * asked for an entity with that name. A name with `raz` does so once: a file of that name in `folder` records
 * it.
 */
const source = (folder: string): string => `
import { existsSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import threads, { isMainThread, parentPort } from 'node:worker_threads'

const endings = {
  throws: () => { throw new Error('nobody catches this') },
  exits: () => process.exit(3),
  loops: () => { for (;;); },
  eats: () => { const kept = []; for (;;) kept.push(new Array(1_000_000).fill(0.5)) },
}
const end = name => {
  const [how, times] = name.split(' ')
  const flag = ${JSON.stringify(folder)} + '/' + how
  if (endings[how] === undefined || (times === 'raz' && existsSync(flag))) return
  writeFileSync(flag, '')
  endings[how]()
}
if (isMainThread) {
  // A thread of the daemon may take more memory than a test should.
  threads.Worker = class extends threads.Worker {
    constructor(entry, options) {
      super(entry, { ...options, resourceLimits: { ...options.resourceLimits, maxOldGenerationSizeMb: 96 } })
    }
  }
  syncBuiltinESMExports()
} else parentPort.on('message', ({ _tag, question }) => {
  if (_tag === 'Ask') end(question.path.name ?? '')
})
`

/** The environment for a daemon whose reader threads have these faults. */
export const readerFaults = (folder: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source(folder))}`,
})

import { deepEqual } from 'node:assert/strict'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import type { ThreadEnd } from '#src/ports/host.js'
import { workerThreads } from './worker-thread.js'

const Said = t.type({ n: t.number })

const entryOf = (code: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${code}`)}`,
  )

interface Run {
  readonly said: ReadonlyArray<number>
  readonly how: ThreadEnd
  readonly error: string | null
}

const runThread = (code: string): Promise<Run> =>
  new Promise(resolve => {
    const said: number[] = []
    const open = workerThreads<never, t.TypeOf<typeof Said>>({
      entry: entryOf(code),
      says: Said,
      execArgv: [],
      heapMbMax: 64,
    })
    open({
      said: ({ n }) => said.push(n),
      ended: (how, error) => resolve({ said, how, error: error instanceof Error ? error.message : null }),
    })
  })

describe('a worker thread', () => {
  it('is heard where it says what its codec takes', async () => {
    deepEqual(await runThread('parentPort.postMessage({ n: 1 }); parentPort.postMessage({ n: 2 })'), {
      said: [1, 2],
      how: 'exit',
      error: null,
    })
  })

  it('ends as by a throw where it says anything else, and is not heard after it', async () => {
    deepEqual(
      await runThread(
        "for (const n of [1, 'two', 3]) parentPort.postMessage({ n }); setInterval(() => 0, 1e3)",
      ),
      {
        said: [1],
        how: 'error',
        error: 'a thread sent a message that does not match its codec',
      },
    )
  })
})

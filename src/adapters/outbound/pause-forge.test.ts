import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { ForgeOutcome } from '#protocol/host/forge.js'
import { pauseForge } from './forge-http.js'

describe('a port that keeps the pauses of the forge', () => {
  it('makes no call until the time that an answer asked for is over', async () => {
    let [nowMs, calls] = [0, 0]
    let outcome: ForgeOutcome = { _tag: 'Limited', waitMs: 5_000 }
    const port = pauseForge(
      () => {
        calls += 1
        return Promise.resolve({ outcome, status: null, dateMs: null })
      },
      () => nowMs,
    )
    const ask = async (): Promise<string> =>
      (await port({ _tag: 'ReadRequest', iid: 1 }, 1_000, new AbortController().signal)).outcome._tag
    deepEqual([await ask(), await ask(), calls], ['Limited', 'Limited', 1])
    outcome = { _tag: 'Faulty', status: 500, waitMs: null }
    nowMs = 4_999
    equal(await ask(), 'Limited')
    nowMs = 5_000
    deepEqual([await ask(), await ask(), calls], ['Faulty', 'Faulty', 3])
  })
})

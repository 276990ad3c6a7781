import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type CheckedInvariant, checkedInvariants } from '#protocol/host/metrics.js'
import { challengesMax } from '#protocol/identity/sign-in.js'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import { type Kernel, openKernel } from '#src/kernel/kernel.js'
import { sampleSum } from '#test/support/metric-text.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { checkInvariants } from './actors.js'

const nowMs = 1_000

/** SQL that adds outstanding challenges past the limit, which `mint` never does. */
const addChallengesSql = (count: number): string => `
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
  INSERT INTO challenges (hash, kind, expires_ms) SELECT 'hash ' || n, 'game', ${nowMs + 1} FROM numbers`

describe('the invariants that a host checks at each scrape', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
    const { dispatches, challenges } = runtime.db()
    for (const id of ['1', '2']) dispatches.enqueue({ id, kind: 'query', vars: {}, sealedReply: null }, nowMs)
    const begun = dispatches.begin(nowMs)
    if (begun === null) throw new Error('nothing is due')
    dispatches.end(begun, { state: 'enacted', reason: null, answer: null }, nowMs)
    challenges.mint('game', '203.0.113.1', nowMs)
  })
  afterEach(() => runtime.dispose())

  /** Scrapes twice, and returns the violations after each scrape. */
  const scrape = async (kernel: Pick<Kernel, 'findUnbalanced'> = openKernel()) => {
    const metrics = prometheus(meter => checkInvariants(kernel, runtime.db(), nowMs, meter))
    const read = async (): Promise<ReadonlyArray<readonly [CheckedInvariant, number]>> => {
      const text = await metrics.text()
      return checkedInvariants
        .map(one => [one, sampleSum(text, 'svc_invariant_violations_total', { invariant: one })] as const)
        .filter(([, sum]) => sum !== 0)
    }
    return [await read(), await read()]
  }

  it('hold on a healthy host, with interactions and challenges on record', async () => {
    equal(runtime.db().dispatches.waiting(), 1)
    equal(runtime.db().challenges.count(nowMs), 1)
    deepEqual(await scrape(), [[], []])
  })

  it('count S24 where a row that waits is lost behind the counts', async () => {
    runtime.execute("DELETE FROM dispatches WHERE state = 'queued'")
    deepEqual(await scrape(), [[['S24', 1]], [['S24', 2]]])
  })

  it('count S24 where the counts miss a row that waits', async () => {
    runtime.execute('UPDATE dispatch_counts SET accepted = accepted - 1 WHERE accepted > 0')
    runtime.reopen()
    deepEqual(await scrape(), [[['S24', 1]], [['S24', 2]]])
  })

  it('count S31 above 512 outstanding challenges, and not at 512', async () => {
    runtime.execute(addChallengesSql(challengesMax - 1))
    equal(runtime.db().challenges.count(nowMs), 512)
    deepEqual(await scrape(), [[], []])
    runtime.execute("INSERT INTO challenges (hash, kind, expires_ms) VALUES ('expired', 'game', 1000)")
    deepEqual(await scrape(), [[], []])
    runtime.execute("INSERT INTO challenges (hash, kind, expires_ms) VALUES ('more', 'game', 1001)")
    deepEqual(await scrape(), [[['S31', 1]], [['S31', 2]]])
  })

  it('count S33 once for a scrape that finds actors with lost messages', async () => {
    const kernel = { findUnbalanced: () => ['write-gate', 'chat-courier'] }
    deepEqual(await scrape(kernel), [[['S33', 1]], [['S33', 2]]])
  })
})

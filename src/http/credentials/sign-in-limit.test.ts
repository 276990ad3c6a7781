import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { nodeView, nowMs, type TestFront, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { clientNetworkBehind } from './client-network.js'
import { openBuckets, openSignInLimit } from './sign-in-limit.js'

describe('the limit of the public sign-in routes', () => {
  let front: TestFront
  let atMs = nowMs
  let wallMs = (): number => atMs
  afterEach(() => front.close())

  const start = async (proxies: ReadonlyArray<string>): Promise<void> => {
    atMs = nowMs
    wallMs = () => atMs
    front = await testFront({
      signInLimit: openSignInLimit({ perMinute: 60, burst: 2 }, clientNetworkBehind(proxies)),
      clock: { nowMs: () => wallMs(), monotonicMs: () => atMs },
      node: nodeView(),
    })
  }
  const ask = (forwarded?: string): Promise<Reply> =>
    front.client.ask('/auth/game/challenge', {
      method: 'POST',
      token: null,
      ...(forwarded === undefined ? {} : { headers: { 'X-Forwarded-For': forwarded } }),
    })
  const statuses = async (...all: ReadonlyArray<string | undefined>): Promise<ReadonlyArray<number>> => {
    const seen: Array<number> = []
    for (const one of all) seen.push((await ask(one)).status)
    return seen
  }

  it('is 429 beyond the burst, with when to come again, and ends by itself', async () => {
    await start([])
    deepEqual(await statuses(undefined, undefined), [200, 200])
    const refused = await ask()
    equal(refused.status, 429)
    equal(refused.headers['retry-after'], '1')
    match(refused.text, /^\{"error":"TooManyRequests","detail":"Try again in 1 s\."/)
    atMs += 1_000
    deepEqual(await statuses(undefined, undefined), [200, 429])
  })

  it('lasts no longer when the wall clock is set back by an hour', async () => {
    await start([])
    deepEqual(await statuses(undefined, undefined, undefined), [200, 200, 429])
    wallMs = () => atMs - 3_600_000
    atMs += 1_000
    deepEqual(await statuses(undefined, undefined), [200, 429])
  })

  it('takes a header of a stranger for nothing: all local callers are one client', async () => {
    await start([])
    deepEqual(await statuses('203.0.113.1', '203.0.113.2', '203.0.113.3'), [200, 200, 429])
  })

  it('counts each client of a configured proxy for itself, IPv6 by its /64', async () => {
    await start(['127.0.0.1'])
    deepEqual(await statuses('203.0.113.1', '203.0.113.1', '203.0.113.1'), [200, 200, 429])
    deepEqual(await statuses('203.0.113.2', '9.9.9.9, 203.0.113.1'), [200, 429])
    deepEqual(
      await statuses('2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::3'),
      [200, 200, 429, 200],
    )
  })

  it('is asked before the body is read, and not of other routes', async () => {
    await start([])
    await statuses(undefined, undefined)
    equal((await front.client.ask('/health', { token: null })).status, 200)
    const large = await front.client.ask('/auth/game/challenge', {
      method: 'POST',
      token: null,
      body: Buffer.alloc(2 * 1024 * 1024),
    })
    equal(large.status, 429)
  })
})

describe('the rows that are limited', () => {
  it('are the public ones that sign in or guess a code', () => {
    const wanted = Object.values(routes)
      .filter(row => row.capability === null && (row.method === 'POST' || row.path.includes('{sha}')))
      .map(row => row.path)
    const limited = Object.values(routes).filter(row => 'limited' in row)
    deepEqual(limited.map(row => row.path).sort(), wanted.sort())
    ok(limited.length > 0)
  })
})

describe('the buckets of clients', () => {
  const rule = { perMinute: 60, burst: 2 }

  it('are forgotten when they are full again', () => {
    const buckets = openBuckets(rule)
    for (let at = 0; at < 100; at += 1) buckets.take(`client-${at}`, 0)
    equal(buckets.size(), 100)
    buckets.take('late', 1_000)
    equal(buckets.size(), 1)
  })

  it('are bounded: the longest unseen one goes, those that are heard of stay', () => {
    const buckets = openBuckets(rule, 10)
    buckets.take('loud', 0)
    for (let at = 0; at < 1_000; at += 1) {
      buckets.take(`client-${at}`, 0)
      buckets.take('loud', 0)
      ok(buckets.size() <= 10)
    }
    ok(buckets.take('loud', 0) !== null)
    equal(buckets.take('client-0', 0), null)
  })
})

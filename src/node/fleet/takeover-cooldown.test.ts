import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Flip } from '#protocol/fleet/takeover.js'
import type { ForgeAnswer, ForgeRequest } from '#protocol/host/forge.js'
import type { ForgePort } from '#src/ports/fleet.js'
import { openCooldown } from './takeovers.js'

const hourMs = 3_600_000
const fence = { commit: 'now', blob: 'b' }
const never = new AbortController().signal
const flip: Flip = {
  before: { commit: 'before', term: 3, blob: '0'.repeat(40) },
  isTakeover: true,
  dateMs: 1_000,
}

const request = (changes: Partial<ForgeRequest> = {}): ForgeRequest => ({
  iid: 7,
  url: 'https://forge.example/7',
  state: 'merged',
  sourceBranch: 'fleet/takeover/3-000000000000',
  targetBranch: 'main',
  sha: null,
  description: 'kronika-version: before',
  mergeStatus: null,
  mergedAtMs: 5 * hourMs,
  mergeCommit: null,
  ...changes,
})

/** A cache whose forge answers with these requests at this time of its clock. */
const open = (
  given: ReadonlyArray<ForgeRequest> | null | (() => ReadonlyArray<ForgeRequest> | null),
  {
    dateMs = 5 * hourMs,
    wallMs = 0,
    made = flip,
    denied = false,
  }: { dateMs?: number; wallMs?: number; made?: Flip | null; denied?: boolean } = {},
) => {
  const answerOf = (requests: ReadonlyArray<ForgeRequest> | null): ForgeAnswer => {
    if (denied) return { outcome: { _tag: 'Denied', status: 403 }, status: 403, dateMs }
    return requests === null
      ? { outcome: { _tag: 'Faulty', status: 500, waitMs: null }, status: 500, dateMs: null }
      : { outcome: { _tag: 'Requests', requests: [...requests] }, status: 200, dateMs }
  }
  const asked: Array<string> = []
  const forge: ForgePort = call => {
    asked.push(call._tag === 'ListRequests' ? call.sourceBranch : call._tag)
    return Promise.resolve(answerOf(typeof given === 'function' ? given() : given))
  }
  const git = { fails: false }
  const unread: Array<string> = []
  const cache = openCooldown({
    readFlip: () => (git.fails ? Promise.reject(new Error('git is away')) : Promise.resolve(made)),
    onUnread: error => void unread.push(String(error)),
    forge,
    cooldownHours: 24,
    nowMs: () => wallMs,
    monotonicMs: () => 0,
  })
  return { cache, asked, git, unread }
}

describe('the cooldown of takeovers', () => {
  it('counts from the merge on the clock of the forge, whatever the clock of the host says (S7)', async () => {
    for (const wallMs of [0, 700 * hourMs]) {
      const { cache, asked } = open([request()], { wallMs })
      await cache.refresh(fence, never)
      deepEqual(cache.current(fence), { mrIid: 7, mrUrl: 'https://forge.example/7', endsAtMs: 29 * hourMs })
      deepEqual(asked, ['fleet/takeover/3-000000000000'])
      cache.sawDate(29 * hourMs)
      equal(cache.current(fence), null)
    }
  })

  it('is asked of the forge where only this host has counted, and again while it does not answer (S7)', async () => {
    const forge = { answers: null as ReadonlyArray<ForgeRequest> | null }
    const { cache, asked } = open(() => forge.answers, { dateMs: 29 * hourMs - 1, wallMs: 900 * hourMs })
    equal(await cache.ask(fence, never), 'unknown')
    equal(cache.current(fence), null)
    equal(await cache.ask(fence, never), 'unknown')
    forge.answers = [request()]
    equal(await cache.ask(fence, never), 'runs')
    equal(asked.length, 3)
    cache.sawDate(29 * hourMs)
    equal(await cache.ask(fence, never), 'over')
    equal(asked.length, 3)
  })

  it('is asked of a forge that refuses, and of git that cannot read the version', async () => {
    const { cache, git } = open(null, { denied: true })
    equal(await cache.ask(fence, never), 'refused')
    git.fails = true
    equal(await cache.ask({ ...fence, commit: 'next' }, never), 'unknown')
    equal(await open([], { made: null }).cache.ask(fence, never), 'over')
  })

  it('stays while git cannot read the version, and is looked at again', async () => {
    const { cache, asked, git, unread } = open([request()])
    git.fails = true
    await cache.refresh(fence, never)
    deepEqual([cache.current(fence)?.endsAtMs, asked, unread.length], [24 * hourMs, [], 1])
    git.fails = false
    await cache.refresh(fence, never)
    equal(cache.current(fence)?.mrIid, 7)
  })

  it('counts from the date of the commit until the forge answers', async () => {
    const { cache } = open(null, { wallMs: 2_000 })
    await cache.refresh(fence, never)
    deepEqual(cache.current(fence), { mrIid: null, mrUrl: null, endsAtMs: 1_000 + 24 * hourMs })
  })

  it('is over where a person made the version, also from a branch with the name of an earlier takeover', async () => {
    for (const requests of [
      [],
      [request({ state: 'closed' })],
      [request({ description: 'kronika-version: old' })],
    ]) {
      const { cache } = open(requests)
      await cache.refresh(fence, never)
      equal(cache.current(fence), null)
    }
    const { cache } = open([], { made: null })
    await cache.refresh(fence, never)
    equal(cache.current(fence), null)
  })

  it('runs after a request that merged this very commit, made for an earlier version with the same file', async () => {
    const { cache } = open([request({ sha: fence.commit, description: 'kronika-version: old' })])
    await cache.refresh(fence, never)
    equal(cache.current(fence)?.mrIid, 7)
  })

  it('runs for a version that was not looked at yet, and not off the fleet', async () => {
    const { cache } = open([])
    equal(cache.current(null), null)
    equal(cache.current(fence)?.endsAtMs, 24 * hourMs)
    await cache.refresh(fence, never)
    equal(cache.current(fence), null)
    equal(cache.current({ ...fence, commit: 'next' }) === null, false)
  })
})

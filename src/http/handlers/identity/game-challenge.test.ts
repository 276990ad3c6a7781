import { deepEqual, equal, match } from 'node:assert/strict'
import { isLeft, left } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it } from 'mocha'
import { challengesMax, LoginChallenge } from '#protocol/identity/challenge.js'
import { refuse } from '#protocol/refusal.js'
import { nodeView, nowMs, type TestFront, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'

const mint = ({ client }: TestFront): Promise<Reply> =>
  client.ask('/auth/game/challenge', { method: 'POST', token: null })

describe('POST /auth/game/challenge', () => {
  let front: TestFront
  afterEach(() => front.close())

  it('tells a challenge, when it expires, and its lifetime, to anybody and before the first snapshot', async () => {
    const node = nodeView()
    front = await testFront({ node, snapshot: null, gate: () => refuse('ReadOnly', 'shut') })
    const reply = await mint(front)
    equal(reply.status, 200)
    const answer = LoginChallenge.decode(reply.json)
    if (isLeft(answer)) throw new Error(reply.text)
    match(answer.right.challenge, /^[A-Za-z0-9]{32}$/)
    equal(answer.right.expires, new Date(nowMs + 300_000).toISOString())
    equal(answer.right.ttlSeconds, 300)
    equal(node.challenges.isOutstanding('game', answer.right.challenge, nowMs), true)
  })

  it('is a flood at the 513th, until the first of them expires', async () => {
    let atMs = nowMs
    const node = nodeView()
    front = await testFront({ node, clock: { nowMs: () => atMs, monotonicMs: () => atMs } })
    for (let at = 1; at < challengesMax; at += 1) node.challenges.mint('chat', nowMs)
    equal((await mint(front)).status, 200)
    const flood = await mint(front)
    equal(flood.status, 429)
    equal(flood.headers['retry-after'], '300')
    match(flood.text, /"error":"challenge_flood"/)
    atMs += 300_000
    equal((await mint(front)).status, 200)
  })

  it('is 503 where the disk takes no write: a challenge that is told is on disk', async () => {
    const { challenges } = nodeView()
    const broken = { ...challenges, mint: () => left(refuse('DiskRefused', 'The disk is full.')) }
    front = await testFront({ node: nodeView({ challenges: broken }) })
    const reply = await mint(front)
    deepEqual([reply.status, reply.text.slice(0, 22)], [503, '{"error":"DiskRefused"'])
  })
})

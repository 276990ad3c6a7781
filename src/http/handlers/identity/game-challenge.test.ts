import { deepEqual, equal, match } from 'node:assert/strict'
import { isLeft, left } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it } from 'mocha'
import { challengesMax, LoginChallenge } from '#protocol/identity/sign-in.js'
import { refuse } from '#protocol/refusal.js'
import { clientNetworkBehind } from '#src/http/credentials/client-address.js'
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
    for (let at = 1; at < challengesMax; at += 1) node.challenges.mint('chat', '127.0.0.1', nowMs)
    equal((await mint(front)).status, 200)
    const flood = await mint(front)
    equal(flood.status, 429)
    equal(flood.headers['retry-after'], '300')
    match(flood.text, /"error":"challenge_flood"/)
    atMs += 300_000
    equal((await mint(front)).status, 200)
  })

  it('is kept from nobody by one network that floods, of whatever row (ADR 1021)', async () => {
    const clientNetwork = clientNetworkBehind(['127.0.0.1'])
    front = await testFront({ node: nodeView(), clientNetwork })
    const ask = (path: string, address: string): Promise<Reply> =>
      front.client.ask(path, { method: 'POST', token: null, headers: { 'X-Forwarded-For': address } })
    const flood = (at: number): Promise<Reply> =>
      ask(
        at % 2 === 0 ? '/auth/game/challenge' : '/auth/chat/challenge',
        `2001:db8::${(at + 1).toString(16)}`,
      )
    for (let at = 0; at < challengesMax; at += 1) equal((await flood(at)).status, 200)
    for (const at of [0, 1]) match((await flood(at)).text, /"error":"challenge_flood"/)
    const others = ['198.51.100.1', '198.51.100.2', '2001:db8:0:1::1']
    for (const other of others)
      for (const path of ['/auth/game/challenge', '/auth/chat/challenge'])
        equal((await ask(path, other)).status, 200, `${path} of ${other}`)
    equal((await flood(0)).status, 429)
  })

  it('is 503 where the disk takes no write: a challenge that is told is on disk', async () => {
    const { challenges } = nodeView()
    const broken = { ...challenges, mint: () => left(refuse('DiskRefused', 'The disk is full.')) }
    front = await testFront({ node: nodeView({ challenges: broken }) })
    const reply = await mint(front)
    deepEqual([reply.status, reply.text.slice(0, 22)], [503, '{"error":"DiskRefused"'])
  })
})

import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it } from 'mocha'
import { challengesMax } from '#protocol/identity/challenge.js'
import { refuse } from '#protocol/refusal.js'
import { fieldOf } from '#test/contract/bench.js'
import { nodeView, nowMs, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { gameSignInWith, signedEnvelope, testGameKey } from '#test/support/identity/game-envelopes.js'
import {
  type RigOptions,
  type SignInRig,
  signInRig,
  tokenOf,
} from '#test/support/identity/game-sign-in-rig.js'
import { refusing } from '#test/support/runtime.js'
import { isRefused } from './row.js'

const required = { rules: { requireChallenge: true } }

describe('SECURITY 4.2 game sign-in: challenges and replay', () => {
  let rig: SignInRig
  const start = async (options: RigOptions = {}): Promise<void> => {
    rig = await signInRig(options)
  }
  const as = (token: string): Promise<Reply> => rig.front.client.ask('/capabilities', { token })
  afterEach(() => rig.close())

  it('4.2.21 | the same envelope again, challenge required | 200, then 401 ChallengeUnknown', async () => {
    await start(required)
    const token = await rig.challenge()
    equal((await rig.signIn({ token })).status, 200)
    isRefused(await rig.signIn({ token }), 401, 'ChallengeUnknown')
    isRefused(await rig.signIn({ token: 'zeton' }), 401, 'ChallengeUnknown')
  })

  it('4.2.22a | the same envelope again, not required | 200 twice: one identity, two sessions', async () => {
    await start()
    const replies = [await rig.signIn(), await rig.signIn()]
    const [first, second] = replies.map(tokenOf)
    notEqual(first, second)
    const bodies = replies.map(reply => JSON.stringify(reply.json).replace(/"sess_[^"]*"/, ''))
    equal(bodies[0], bodies[1])
    for (const token of [first, second]) equal((await as(String(token))).status, 200)
  })

  it('4.2.22b | and after the window | 401 TimestampOutOfWindow', async () => {
    await start()
    const body = signedEnvelope({ userId: '7001', token: 'zeton', ts: nowMs / 1000 })
    equal((await rig.post(body)).status, 200)
    rig.setNowMs(nowMs + 300_999)
    equal((await rig.post(body)).status, 200)
    rig.setNowMs(nowMs + 301_000)
    isRefused(await rig.post(body), 401, 'TimestampOutOfWindow')
  })

  it('4.2.23 | one challenge, twenty sign-ins at once | one 200, the others 401 (S31)', async () => {
    // All of them wait for the key, so that each has seen the challenge outstanding before the first burns it.
    let arrived = 0
    let open: () => void = () => undefined
    const all = new Promise<void>(resolve => {
      open = resolve
    })
    await start({
      ...required,
      key: async () => {
        arrived += 1
        if (arrived === 20) open()
        await all
        return right(testGameKey().publicKey)
      },
    })
    const token = await rig.challenge()
    const replies = await Promise.all(Array.from({ length: 20 }, () => rig.signIn({ token })))
    equal(arrived, 20)
    equal(replies.filter(reply => reply.status === 200).length, 1)
    for (const reply of replies.filter(one => one.status !== 200)) isRefused(reply, 401, 'ChallengeUnknown')
    rig.runtime.reopen()
    const { challenges } = rig.runtime.db()
    deepEqual(challenges.burn('game', token, nowMs), right(false))
  })

  it('4.2.24 | the 513th challenge | 429 challenge_flood', async () => {
    await start()
    for (let at = 0; at < challengesMax; at += 1) await rig.challenge()
    const flood = await rig.front.client.ask('/auth/game/challenge', { method: 'POST', token: null })
    isRefused(flood, 429, 'challenge_flood')
    equal(flood.headers['retry-after'], '300')
  })

  it('4.2.25 | a challenge that has expired | 401 ChallengeUnknown', async () => {
    await start(required)
    const token = await rig.challenge()
    rig.setNowMs(nowMs + 299_999)
    const [early, late] = [await rig.challenge(), token]
    rig.setNowMs(nowMs + 300_000)
    isRefused(await rig.signIn({ token: late }), 401, 'ChallengeUnknown')
    equal((await rig.signIn({ token: early })).status, 200)
  })

  it('4.2.26 | a challenge of another host, or of chat sign-in | 401 ChallengeUnknown', async () => {
    await start(required)
    const other = await signInRig(required)
    isRefused(await rig.signIn({ token: await other.challenge() }), 401, 'ChallengeUnknown')
    await other.close()
    const minted = rig.runtime.db().challenges.mint('chat', nowMs)
    if (isLeft(minted)) throw new Error(minted.left.detail)
    isRefused(await rig.signIn({ token: minted.right.text }), 401, 'ChallengeUnknown')
  })

  it('4.2.36 | a bad signature over a challenge | 401, and the challenge stands', async () => {
    await start(required)
    const token = await rig.challenge()
    const body = signedEnvelope({ userId: '7004', token, ts: rig.nowS() })
    isRefused(await rig.post({ ...body, user_id: '7001' }), 401, 'SignatureInvalid')
    equal((await rig.signIn({ token })).status, 200)
  })

  it('4.2.37 | a challenge that is not required | 200, and it is burned as well', async () => {
    await start()
    const token = await rig.challenge()
    equal((await rig.signIn({ token })).status, 200)
    equal(rig.runtime.db().challenges.isOutstanding('game', token, nowMs), false)
  })
})

describe('game sign-in: who and when', () => {
  let rig: SignInRig
  afterEach(() => rig.close())

  it('tells identity, capabilities and a session that is known at once', async () => {
    rig = await signInRig()
    const reply = await rig.signIn()
    deepEqual(fieldOf(reply, 'identity'), {
      gameId: '7001',
      name: 'Brzoza',
      roles: ['Narrator'],
      chatId: null,
    })
    equal(fieldOf(reply, 'expires'), new Date(nowMs + 14_400_000).toISOString())
    equal(fieldOf(reply, 'fleetToken'), undefined)
    const own = await rig.front.client.ask('/capabilities', { token: tokenOf(reply) })
    deepEqual(fieldOf(own, 'capabilities'), fieldOf(reply, 'capabilities'))
  })

  const strangers: ReadonlyArray<readonly [string, string, number, string]> = [
    ['an id that nobody has', '9999', 403, 'no_gracz_for_game_id'],
    ['an id that was given up', '7003', 403, 'no_gracz_for_game_id'],
    ['an id that two have', '7002', 409, 'ambiguous_game_id'],
    ['an id of a block with two', '7004', 409, 'ambiguous_game_id'],
  ]
  for (const [what, userId, status, error] of strangers)
    it(`mints nothing for ${what}: ${status} ${error}`, async () => {
      rig = await signInRig()
      const reply = await rig.signIn({ userId })
      isRefused(reply, status, error)
      equal(rig.runtime.db().sessions.outstanding(nowMs).size, 0)
      deepEqual(
        rig.attempts.map(([result]) => result),
        ['unknown_id'],
      )
      if (status === 409)
        deepEqual(fieldOf(reply, 'matches'), userId === '7002' ? ['Żaneta', 'Świerk'] : ['Świerk'])
    })

  it('is 503 and verifies nothing where no key URL is configured', async () => {
    rig = await signInRig({ rules: null, key: () => Promise.reject(new Error('asked for a key')) })
    isRefused(await rig.signIn(), 503, 'game_auth_disabled')
  })

  it('is 503 where the key cannot be had, and the challenge stands', async () => {
    rig = await signInRig({ ...required, key: () => Promise.resolve(left('away')) })
    const token = await rig.challenge()
    const reply = await rig.signIn({ token })
    isRefused(reply, 503, 'SigningKeyAway')
    ok(Number(reply.headers['retry-after']) > 0)
    equal(rig.runtime.db().challenges.isOutstanding('game', token, nowMs), true)
  })

  it('asks for no key where the envelope is bad at a glance', async () => {
    rig = await signInRig({ ...required, key: () => Promise.reject(new Error('asked for a key')) })
    isRefused(await rig.signIn({ ts: 0 }), 401, 'TimestampOutOfWindow')
    isRefused(await rig.signIn({ token: 'unknown' }), 401, 'ChallengeUnknown')
  })

  it('needs a snapshot, and no write gate', async () => {
    rig = await signInRig()
    const shut = await testFront({
      gate: () => refuse('ReadOnly', 'shut'),
      node: nodeView({ gameSignIn: gameSignInWith() }),
    })
    const body = JSON.stringify(signedEnvelope({ userId: '7001', token: 'zeton', ts: nowMs / 1000 }))
    const ask = (): Promise<Reply> => shut.client.ask('/auth/game', { method: 'POST', token: null, body })
    isRefused(await ask(), 403, 'no_gracz_for_game_id')
    shut.serve(null)
    isRefused(await ask(), 503, 'Starting')
    await shut.close()
  })

  it('is 503 where the disk takes no burn: nothing is minted', async () => {
    rig = await signInRig(required)
    const token = await rig.challenge()
    rig.runtime.execute(refusing('challenges'))
    isRefused(await rig.signIn({ token }), 503, 'DiskRefused')
    const mint = await rig.front.client.ask('/auth/game/challenge', { method: 'POST', token: null })
    isRefused(mint, 503, 'DiskRefused')
    equal(rig.runtime.db().sessions.outstanding(nowMs).size, 0)
  })

  it('answers any JSON by 400 or 401, and mints nothing', async () => {
    rig = await signInRig()
    const wild = fc.record(
      {
        user_id: fc.oneof(fc.constant('7001'), fc.jsonValue()),
        token: fc.oneof(fc.constant('zeton'), fc.jsonValue()),
        ts: fc.oneof(fc.constant(rig.nowS()), fc.jsonValue()),
        signatureBase64: fc.oneof(fc.base64String(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(wild, fc.jsonValue()), async body => {
        const { status, text } = await rig.post(body)
        ok(status === 400 || status === 401, text)
      }),
      { numRuns: 300 },
    )
    equal(rig.runtime.db().sessions.outstanding(nowMs).size, 0)
  })

  it('is 503 where the disk takes no session', async () => {
    rig = await signInRig()
    rig.runtime.execute(refusing('sessions'))
    isRefused(await rig.signIn(), 503, 'DiskRefused')
  })
})

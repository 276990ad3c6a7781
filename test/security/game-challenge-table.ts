import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it, type Suite } from 'mocha'
import { challengesMax } from '#protocol/identity/sign-in.js'
import { nowMs } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { signEnvelope } from '#test/support/identity/game-envelopes.js'
import {
  type RigOptions,
  type SignInRig,
  type StartRig,
  tokenOf,
} from '#test/support/identity/game-sign-in-rig.js'
import { isRefused } from './row.js'

const required = { rules: { requireChallenge: true } }

/** Challenges of SECURITY 4.2, seen where they are given and burned. */
export const seeChallenges = (start: StartRig): Suite =>
  describe('SECURITY 4.2 game sign-in: challenges and replay', () => {
    let rig: SignInRig
    const begin = async (options: RigOptions = {}): Promise<void> => {
      rig = await start(options)
    }
    const as = (token: string): Promise<Reply> => rig.client.ask('/capabilities', { token })
    afterEach(() => rig.close())

    it('4.2.21 | the same envelope again, challenge required | 200, then 401 ChallengeUnknown', async () => {
      await begin(required)
      const token = await rig.challenge()
      equal((await rig.signIn({ token })).status, 200)
      isRefused(await rig.signIn({ token }), 401, 'ChallengeUnknown')
      isRefused(await rig.signIn({ token: 'zeton' }), 401, 'ChallengeUnknown')
    })

    it('4.2.22a | the same envelope again, not required | 200 twice: one identity, two sessions', async () => {
      await begin()
      const replies = [await rig.signIn(), await rig.signIn()]
      const [first, second] = replies.map(tokenOf)
      notEqual(first, second)
      const bodies = replies.map(reply => JSON.stringify(reply.json).replace(/"sess_[^"]*"/, ''))
      equal(bodies[0], bodies[1])
      for (const token of [first, second]) equal((await as(String(token))).status, 200)
    })

    it('4.2.22b | and after the window | 401 TimestampOutOfWindow', async () => {
      await begin()
      const body = signEnvelope({ userId: '7001', token: 'zeton', ts: nowMs / 1000 })
      equal((await rig.post(body)).status, 200)
      rig.setNowMs(nowMs + 300_999)
      equal((await rig.post(body)).status, 200)
      rig.setNowMs(nowMs + 301_000)
      isRefused(await rig.post(body), 401, 'TimestampOutOfWindow')
    })

    it('4.2.23 | one challenge, twenty sign-ins at once | one 200, the others 401 (S31)', async () => {
      // All of them wait for the key, so that each has seen the challenge outstanding before the first burns it.
      await begin({ ...required, key: { afterAsks: 20 } })
      const token = await rig.challenge()
      const replies = await Promise.all(Array.from({ length: 20 }, () => rig.signIn({ token })))
      equal(replies.filter(reply => reply.status === 200).length, 1)
      for (const reply of replies.filter(one => one.status !== 200)) isRefused(reply, 401, 'ChallengeUnknown')
      rig.runtime.reopen()
      const { challenges } = rig.runtime.db()
      deepEqual(challenges.burn('game', token, nowMs), right(false))
    })

    it('4.2.24 | the 513th challenge | 429 challenge_flood', async () => {
      await begin()
      for (let at = 0; at < challengesMax; at += 1) await rig.challenge()
      const flood = await rig.client.ask('/auth/game/challenge', { method: 'POST', token: null })
      isRefused(flood, 429, 'challenge_flood')
      equal(flood.headers['retry-after'], '300')
    })

    it('4.2.25 | a challenge that has expired | 401 ChallengeUnknown', async () => {
      await begin(required)
      const token = await rig.challenge()
      rig.setNowMs(nowMs + 299_999)
      const [early, late] = [await rig.challenge(), token]
      rig.setNowMs(nowMs + 300_000)
      isRefused(await rig.signIn({ token: late }), 401, 'ChallengeUnknown')
      equal((await rig.signIn({ token: early })).status, 200)
    })

    it('4.2.26 | a challenge of another host, or of chat sign-in | 401 ChallengeUnknown', async () => {
      await begin(required)
      const other = await start(required)
      isRefused(await rig.signIn({ token: await other.challenge() }), 401, 'ChallengeUnknown')
      await other.close()
      const minted = rig.runtime.db().challenges.mint('chat', '', nowMs)
      if (isLeft(minted)) throw new Error(minted.left.detail)
      isRefused(await rig.signIn({ token: minted.right.text }), 401, 'ChallengeUnknown')
    })

    it('4.2.36 | a bad signature over a challenge | 401, and the challenge stands', async () => {
      await begin(required)
      const token = await rig.challenge()
      const body = signEnvelope({ userId: '7004', token, ts: rig.nowS() })
      isRefused(await rig.post({ ...body, user_id: '7001' }), 401, 'SignatureInvalid')
      equal((await rig.signIn({ token })).status, 200)
    })

    it('4.2.37 | a challenge that is not required | 200, and it is burned as well', async () => {
      await begin()
      const token = await rig.challenge()
      equal((await rig.signIn({ token })).status, 200)
      equal(rig.runtime.db().challenges.isOutstanding('game', token, nowMs), false)
    })
  })

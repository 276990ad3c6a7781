import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { afterEach, describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import { fieldOf } from '#test/contract/bench.js'
import { nodeView, nowMs, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { gameSignInWith, signEnvelope } from '#test/support/identity/game-envelopes.js'
import { type FrontRig, signInRig, tokenOf } from '#test/support/identity/game-sign-in-rig.js'
import { runsOf } from '#test/support/runs.js'
import { refuseWritesSql } from '#test/support/runtime.js'
import { seeChallenges } from './game-challenge-table.js'
import { isRefused } from './row.js'

const required = { rules: { requireChallenge: true } }

seeChallenges(signInRig)

describe('game sign-in: who and when', () => {
  let rig: FrontRig
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
      equal(rig.runtime.db().logins.outstanding(nowMs).size, 0)
      deepEqual(
        rig.attempts.map(([result]) => result),
        ['unknown_id'],
      )
      if (status === 409)
        deepEqual(fieldOf(reply, 'matches'), userId === '7002' ? ['Żaneta', 'Świerk'] : ['Świerk'])
    })

  it('is 503 and verifies nothing where no key URL is configured', async () => {
    rig = await signInRig({ rules: null, key: 'unasked' })
    isRefused(await rig.signIn(), 503, 'game_auth_disabled')
  })

  it('is 503 where the key cannot be had, and the challenge stands', async () => {
    rig = await signInRig({ ...required, key: 'away' })
    const token = await rig.challenge()
    const reply = await rig.signIn({ token })
    isRefused(reply, 503, 'SigningKeyAway')
    ok(Number(reply.headers['retry-after']) > 0)
    equal(rig.runtime.db().challenges.isOutstanding('game', token, nowMs), true)
  })

  it('asks for no key where the envelope is bad at a glance', async () => {
    rig = await signInRig({ ...required, key: 'unasked' })
    isRefused(await rig.signIn({ ts: 0 }), 401, 'TimestampOutOfWindow')
    isRefused(await rig.signIn({ token: 'unknown' }), 401, 'ChallengeUnknown')
  })

  it('needs a snapshot, and no write gate', async () => {
    rig = await signInRig()
    const shut = await testFront({
      gate: () => refuse('ReadOnly', 'shut'),
      node: nodeView({ gameSignIn: gameSignInWith() }),
    })
    const body = JSON.stringify(signEnvelope({ userId: '7001', token: 'zeton', ts: nowMs / 1000 }))
    const ask = (): Promise<Reply> => shut.client.ask('/auth/game', { method: 'POST', token: null, body })
    isRefused(await ask(), 403, 'no_gracz_for_game_id')
    shut.serve(null)
    isRefused(await ask(), 503, 'Starting')
    await shut.close()
  })

  it('is 503 where the disk takes no burn: nothing is minted', async () => {
    rig = await signInRig(required)
    const token = await rig.challenge()
    rig.runtime.execute(refuseWritesSql('challenges'))
    isRefused(await rig.signIn({ token }), 503, 'DiskRefused')
    const mint = await rig.front.client.ask('/auth/game/challenge', { method: 'POST', token: null })
    isRefused(mint, 503, 'DiskRefused')
    equal(rig.runtime.db().logins.outstanding(nowMs).size, 0)
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
      { numRuns: runsOf(300) },
    )
    equal(rig.runtime.db().logins.outstanding(nowMs).size, 0)
  })

  it('is 503 where the disk takes no session', async () => {
    rig = await signInRig()
    rig.runtime.execute(refuseWritesSql('sessions'))
    isRefused(await rig.signIn(), 503, 'DiskRefused')
  })
})

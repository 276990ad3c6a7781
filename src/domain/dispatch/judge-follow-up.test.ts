import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Heard } from '#protocol/chat/platform.js'
import { countsAsInvalid, judgeFollowUp } from './judge-follow-up.js'

const answer = (
  status: number,
  body: object = {},
  headers: Readonly<Record<string, string>> = {},
): Heard => ({
  _tag: 'Answer',
  status,
  headers,
  text: JSON.stringify(body),
})

const judge = (heard: Heard, tries = 0, ageMs = 1_000) => judgeFollowUp({ heard, tries, ageMs, nowMs: 0 })
const verdictTag = (heard: Heard, tries = 0, ageMs = 1_000): string => {
  const verdict = judge(heard, tries, ageMs)
  return verdict._tag === 'Final' ? verdict.why : verdict._tag
}

describe('the judgement of an answer to an interaction', () => {
  it('ends with a message of the platform', () => {
    equal(verdictTag(answer(200, { id: '555', channel_id: '7' })), 'Sent')
  })

  it('repeats what is a success and no message', () => {
    const page: Heard = { _tag: 'Answer', status: 200, headers: {}, text: '<html>Attention required</html>' }
    deepEqual(
      [verdictTag(page), verdictTag(answer(200)), verdictTag(answer(204))],
      ['Again', 'Again', 'Again'],
    )
    equal(verdictTag(answer(302)), 'refused')
  })

  it('waits with all answers where the platform refuses this host as a client', () => {
    const page: Heard = { _tag: 'Answer', status: 403, headers: {}, text: '<html>Attention required</html>' }
    for (const heard of [answer(403, { code: 40_333 }), page])
      deepEqual(judge(heard), { _tag: 'Again', waitMs: 60_000, holdMs: 60_000 })
  })

  it('waits until the bucket of its token has room', () => {
    const empty = {
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': '4.5',
    }
    const waitOf = (heard: Heard): number => {
      const verdict = judge(heard)
      return verdict._tag === 'Again' ? verdict.waitMs : 0
    }
    deepEqual(
      [
        waitOf(answer(503, {}, empty)),
        waitOf(answer(404, { code: 10_008 }, empty)),
        waitOf(answer(429, { retry_after: 2 }, empty)),
        waitOf(answer(503, {}, { ...empty, 'x-ratelimit-remaining': '1' })),
      ],
      [4_500, 4_500, 4_500, 500],
    )
  })

  it('takes a 401 for the end of the token', () => {
    equal(verdictTag(answer(401, { message: 'Invalid Webhook Token', code: 50_027 })), 'token_dead')
    equal(verdictTag(answer(401)), 'token_dead')
  })

  it('repeats an early 404 up to five tries, and no later one', () => {
    const missing = answer(404, { code: 10_008 })
    deepEqual(
      [0, 1, 2, 3, 4].map(tries => verdictTag(missing, tries)),
      ['Again', 'Again', 'Again', 'Again', 'not_found'],
    )
    deepEqual([verdictTag(missing, 0, 14_999), verdictTag(missing, 0, 15_000)], ['Again', 'not_found'])
  })

  it('waits out a 429, alone or with all others', () => {
    const own = judge(answer(429, { retry_after: 2 }, { 'x-ratelimit-scope': 'user' }))
    deepEqual(own, { _tag: 'Again', waitMs: 2_000, holdMs: 0 })
    const all = judge(answer(429, { retry_after: 2, global: true }))
    deepEqual(all, { _tag: 'Again', waitMs: 2_000, holdMs: 2_000 })
  })

  it('repeats what failed behind growing pauses, and ends with any other refusal', () => {
    const waits = [0, 1, 2, 20].map(tries => {
      const verdict = judge({ _tag: 'NoAnswer', reason: 'timeout' }, tries)
      return verdict._tag === 'Again' ? verdict.waitMs : null
    })
    deepEqual(waits, [500, 1_000, 2_000, 30_000])
    equal(verdictTag(answer(503)), 'Again')
    deepEqual(judge(answer(400, { code: 50_035 })), {
      _tag: 'Final',
      why: 'refused',
      status: 400,
      code: 50_035,
    })
  })

  it('counts what the platform bans an address for', () => {
    const counted = [200, 401, 403, 404, 429, 500].map(status => countsAsInvalid(answer(status)))
    deepEqual(counted, [false, true, true, false, true, false])
    equal(countsAsInvalid(answer(429, {}, { 'x-ratelimit-scope': 'shared' })), false)
    equal(countsAsInvalid({ _tag: 'NoAnswer', reason: 'network' }), false)
  })
})

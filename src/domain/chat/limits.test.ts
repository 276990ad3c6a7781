import { ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { Snowflake } from '#protocol/atoms.js'
import type { Heard } from '#protocol/chat/platform.js'
import { createMessage, noLimits, recordAnswer } from './limits.js'

describe('the limits of the platform', () => {
  it('knows a bounded number of buckets, also where each answer names a new one for a day', () => {
    const channelId = '11'
    ok(Snowflake.is(channelId))
    const call = createMessage({ channelId, content: 'x', nonce: 'n' })
    const limits = Array.from({ length: 1_000 }, (_, at) => at).reduce((known, at) => {
      const headers = {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '4',
        'x-ratelimit-reset-after': '86400',
        'x-ratelimit-bucket': `b${at}`,
      }
      const heard: Heard = { _tag: 'Answer', status: 200, headers, text: '{}' }
      return recordAnswer(known, call, heard, { _tag: 'Done', text: '{}' }, at)
    }, noLimits)
    ok(limits.buckets.size <= 258, `${limits.buckets.size} buckets`)
    ok(limits.buckets.has('b999 11'), 'the newest is known')
  })
})

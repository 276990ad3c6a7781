import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Heard } from '#protocol/chat/platform.js'
import { retryAfterMs } from '#src/domain/outbound/outbound.js'
import { verdictOf } from './failures.js'
import { readBucket } from './limits.js'

const nowMs = Date.parse('2026-06-15T12:00:00Z')

const answerWith = (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Heard => ({
  _tag: 'Answer',
  status,
  headers,
  text: body,
})

describe('Retry-After', () => {
  const rows: ReadonlyArray<readonly [text: string | undefined, waitMs: number | null]> = [
    ['3', 3_000],
    ['0', 0],
    ['0.0011', 2],
    ['64.57', 64_570],
    ['Mon, 15 Jun 2026 12:00:30 GMT', 30_000],
    ['Mon, 15 Jun 2026 11:00:00 GMT', 0],
    ['999999999999999', 86_400_000],
    [undefined, null],
    ['', null],
    ['-1', null],
    ['1e9', null],
    ['NaN', null],
    ['Infinity', null],
    ['soon', null],
    ['1,5', null],
  ]
  for (const [text, waitMs] of rows)
    it(`is read as it stands: ${text ?? 'absent'}`, () => equal(retryAfterMs(text, nowMs), waitMs))
})

describe('a verdict', () => {
  for (const [code, kept] of [
    ['50001', 50_001],
    ['1.5', null],
    ['1e308', null],
    ['1e999', null],
    ['"50001"', null],
  ] as const)
    it(`has the code of a refusal where a record can hold it: ${code}`, () =>
      deepEqual(verdictOf(answerWith(403, {}, `{"code": ${code}}`), 0, nowMs), {
        _tag: 'Refused',
        status: 403,
        code: kept,
        isOfClient: false,
      }))

  for (const [what, heard, code] of [
    ['the code for a client that is not let in', answerWith(403, {}, '{"code": 40333}'), 40_333],
    ['the same with another status', answerWith(400, {}, '{"code": 40333}'), 40_333],
    ['a page of a firewall', answerWith(403, {}, '<!DOCTYPE html><title>Access denied</title>'), null],
    ['a page that asks to sign in', answerWith(401, {}, '\n<html><body>Sign in'), null],
    ['a page behind a redirect', answerWith(302, {}, '<HTML>Moved'), null],
  ] as const)
    it(`is about the client, not about the channel: ${what}`, () => {
      const status = heard._tag === 'Answer' ? heard.status : 0
      deepEqual(verdictOf(heard, 0, nowMs), { _tag: 'Refused', status, code, isOfClient: true })
    })

  it('says that a failure is a web page', () =>
    deepEqual(verdictOf(answerWith(502, {}, '<html>Bad gateway'), 0, nowMs), {
      _tag: 'Failed',
      reason: 'status 502, with a web page in place of data',
    }))

  const limits: ReadonlyArray<
    readonly [what: string, heard: Heard, attempt: number, waitMs: number, scope: string]
  > = [
    [
      'the longer of header and body',
      answerWith(
        429,
        { 'retry-after': '2', 'x-ratelimit-scope': 'user' },
        '{"retry_after": 2.5, "global": false}',
      ),
      0,
      2_500,
      'user',
    ],
    ['a body alone', answerWith(429, {}, '{"retry_after": 0.3, "global": true}'), 0, 300, 'global'],
    [
      'a header alone',
      answerWith(429, { 'retry-after': '1', 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'user' }),
      0,
      1_000,
      'global',
    ],
    [
      'a shared resource',
      answerWith(429, { 'retry-after': '1', 'x-ratelimit-scope': 'shared' }),
      0,
      1_000,
      'shared',
    ],
    ['no wait named', answerWith(429, { 'x-ratelimit-scope': 'user' }), 0, 2_000, 'user'],
    ['no wait named again', answerWith(429, { 'x-ratelimit-scope': 'user' }), 3, 16_000, 'user'],
    ['no wait named, ever again', answerWith(429, { 'x-ratelimit-scope': 'user' }), 40, 60_000, 'user'],
    [
      'a page of what stands before the platform',
      answerWith(429, { 'retry-after': '9' }, '<html>'),
      0,
      9_000,
      'global',
    ],
    ['a body of other types', answerWith(429, {}, '{"retry_after": "1", "global": 1}'), 0, 2_000, 'global'],
    [
      'a scope that is not known',
      answerWith(429, { 'x-ratelimit-scope': 'x' }, '{"global": false}'),
      0,
      2_000,
      'user',
    ],
  ]
  for (const [what, heard, attempt, waitMs, scope] of limits)
    it(`waits: ${what}`, () =>
      deepEqual(verdictOf(heard, attempt, nowMs), { _tag: 'Limited', waitMs, scope }))

  it('tells what may be asked again from what may not', () => {
    deepEqual(verdictOf(answerWith(200, {}, '[]'), 0, nowMs), { _tag: 'Done', text: '[]' })
    deepEqual(verdictOf(answerWith(401), 0, nowMs), { _tag: 'TokenRefused' })
    deepEqual(verdictOf(answerWith(403, {}, '{"code": 50001, "message": "x"}'), 0, nowMs), {
      _tag: 'Refused',
      status: 403,
      code: 50_001,
      isOfClient: false,
    })
    for (const status of [301, 302, 307, 308, 400, 404, 418])
      deepEqual(verdictOf(answerWith(status, {}, 'not JSON'), 0, nowMs), {
        _tag: 'Refused',
        status,
        code: null,
        isOfClient: false,
      })
    for (const status of [500, 502, 503, 504])
      deepEqual(verdictOf(answerWith(status), 0, nowMs), { _tag: 'Failed', reason: `status ${status}` })
    for (const reason of ['timeout', 'network', 'too_large'] as const)
      deepEqual(verdictOf({ _tag: 'NoAnswer', reason }, 0, nowMs), { _tag: 'Failed', reason })
  })
})

describe('a bucket', () => {
  const told = {
    'x-ratelimit-bucket': 'abcd',
    'x-ratelimit-limit': '5',
    'x-ratelimit-remaining': '4',
    'x-ratelimit-reset-after': '1.25',
  }

  it('is what the headers tell', () => {
    deepEqual(readBucket(told), { hash: 'abcd', limit: 5, remaining: 4, resetAfterMs: 1_250 })
    deepEqual(readBucket({ ...told, 'x-ratelimit-bucket': '' })?.hash, null)
    deepEqual(readBucket({ ...told, 'x-ratelimit-bucket': 'x'.repeat(129) })?.hash, null)
  })

  for (const header of ['limit', 'remaining', 'reset-after'])
    for (const text of ['', '-1', 'x', '1e3', '0x1', 'NaN', ' ', '1'.repeat(16)])
      it(`is none where they are garbage: ${header} '${text}'`, () =>
        equal(readBucket({ ...told, [`x-ratelimit-${header}`]: text }), null))
})

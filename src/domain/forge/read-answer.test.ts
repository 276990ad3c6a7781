import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { PlatformChannels, PlatformRoles } from '#protocol/chat/platform.js'
import { type ForgeOutcome, GitlabJobs, GitlabRequests } from '#protocol/host/forge.js'
import { mergeabilityOf } from './merge-request.js'
import { type ForgeReply, readForgeAnswer } from './wire.js'

const nowMs = Date.parse('2026-06-15T12:00:00Z')

const reply = (
  status: number,
  { text = '', retryAfter, date }: { text?: string | null; retryAfter?: string; date?: string } = {},
): ForgeReply => ({ _tag: 'Reply', status, date, retryAfter, text })

describe('an answer of the forge', () => {
  const statuses: ReadonlyArray<readonly [status: number, outcome: ForgeOutcome]> = [
    [401, { _tag: 'Denied', status: 401 }],
    [403, { _tag: 'Denied', status: 403 }],
    [404, { _tag: 'Missing' }],
    [405, { _tag: 'NotMergeable' }],
    [409, { _tag: 'Conflict' }],
    [302, { _tag: 'Refused', status: 302 }],
    [422, { _tag: 'Refused', status: 422 }],
    [500, { _tag: 'Faulty', status: 500, waitMs: null }],
  ]
  for (const [status, outcome] of statuses)
    it(`is judged by its status, whatever its text says: ${status}`, () =>
      deepEqual(
        readForgeAnswer('OpenRequest', reply(status, { text: '{"iid": 1, "state": "merged"}' }), nowMs)
          .outcome,
        outcome,
      ))

  const waits: ReadonlyArray<readonly [retryAfter: string | undefined, waitMs: number | null]> = [
    ['30', 30_000],
    ['1.5', 1_500],
    ['Mon, 15 Jun 2026 12:10:30 GMT', 30_000],
    ['soon', null],
    [undefined, null],
  ]
  for (const [retryAfter, waitMs] of waits)
    it(`SECURITY 4.5 429 states its wait, a date on the clock of the forge: ${retryAfter ?? 'missing'}`, () => {
      const date = 'Mon, 15 Jun 2026 12:10:00 GMT'
      const given = retryAfter === undefined ? { date } : { retryAfter, date }
      deepEqual(readForgeAnswer('ReadRequest', reply(429, given), nowMs), {
        outcome: { _tag: 'Limited', waitMs },
        status: 429,
        dateMs: Date.parse(date),
      })
    })

  it('is garbled where it is done and its body is not that of the contract', () => {
    for (const text of [null, '', '{', '[]', '{"iid": "1"}', '{"iid": 1.5, "state": "opened"}', 'null'])
      equal(
        readForgeAnswer('ReadRequest', reply(200, { text }), nowMs).outcome._tag,
        'Garbled',
        text ?? 'none',
      )
    equal(readForgeAnswer('ListRequests', reply(200, { text: '{}' }), nowMs).outcome._tag, 'Garbled')
  })

  it('has no request whose number no record can hold', () => {
    const request = { web_url: '', state: 'opened', source_branch: 'a', target_branch: 'main' }
    for (const iid of ['1e308', '0', '-1', '9007199254740992']) {
      const text = JSON.stringify({ ...request, iid: 0 }).replace('"iid":0', `"iid":${iid}`)
      equal(readForgeAnswer('ReadRequest', reply(200, { text }), nowMs).outcome._tag, 'Garbled', iid)
    }
  })

  it('has the page of a request only where a person may open it', () => {
    const request = { iid: 1, state: 'opened', source_branch: 'a', target_branch: 'main' }
    const good = 'https://forge.example/lore/-/merge_requests/1'
    const pages = [
      good,
      'javascript:alert(1)',
      'file:///etc/passwd',
      `${good}${'a'.repeat(2_048)}`,
      'https://',
      'https://forge.example/\u202elore',
      'https://forge.example/lore\n',
    ]
    const urls = pages.map(url => {
      const text = JSON.stringify({ ...request, web_url: url })
      const { outcome } = readForgeAnswer('ReadRequest', reply(200, { text }), nowMs)
      return outcome._tag === 'Request' ? outcome.request.url : null
    })
    deepEqual(urls, [good, '', '', '', '', '', ''])
  })

  it('shows no status of another form than those of the forge, and waits', () => {
    const request = { iid: 1, web_url: '', state: 'opened', source_branch: 'a', target_branch: 'main' }
    const statuses = [
      'ci_still_running',
      '',
      'a\u202eb',
      'Mergeable',
      '<script>',
      'a'.repeat(65),
      'a\nb',
      null,
    ]
    const shown = statuses.map(status => {
      const text = JSON.stringify({ ...request, detailed_merge_status: status })
      const { outcome } = readForgeAnswer('ReadRequest', reply(200, { text }), nowMs)
      return outcome._tag === 'Request' ? outcome.request.mergeStatus : undefined
    })
    deepEqual(shown, ['ci_still_running', ...Array<string>(6).fill('unreadable'), null])
    equal(mergeabilityOf('unreadable'), 'pending')
  })

  it('is garbled, by one fault, where a list has more entries than a page', () => {
    const request = { iid: 1, web_url: '', state: 'opened', source_branch: 'a', target_branch: 'main' }
    const listOf = (count: number) => JSON.stringify(Array(count).fill(request))
    const tagOf = (text: string) => readForgeAnswer('ListRequests', reply(200, { text }), nowMs).outcome._tag
    deepEqual([tagOf(listOf(100)), tagOf(listOf(101))], ['Requests', 'Garbled'])
    for (const codec of [GitlabRequests, GitlabJobs, PlatformRoles, PlatformChannels]) {
      const decoded = codec.decode(Array(300_000).fill({}))
      equal(isLeft(decoded) && decoded.left.length, 1)
    }
  })

  it('leaves out the requests of forks, which need no right to push', () => {
    const request = { iid: 1, web_url: '', state: 'closed', source_branch: 'fleet/a', target_branch: 'main' }
    const projects = [
      {},
      { source_project_id: 7, target_project_id: 7 },
      { source_project_id: 8, target_project_id: 7 },
      { source_project_id: null, target_project_id: 7 },
    ]
    const text = JSON.stringify(projects.map((ids, at) => ({ ...request, ...ids, iid: at + 1 })))
    const { outcome } = readForgeAnswer('ListRequests', reply(200, { text }), nowMs)
    deepEqual(outcome._tag === 'Requests' && outcome.requests.map(({ iid }) => iid), [1, 2])
  })

  it('carries the date of the forge, or none where it is no date', () => {
    equal(readForgeAnswer('ReadTrace', reply(200, { date: 'yesterday' }), nowMs).dateMs, null)
    equal(readForgeAnswer('ReadTrace', { _tag: 'NoReply', failure: 'tls' }, nowMs).dateMs, null)
  })
})

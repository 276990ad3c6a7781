import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { mergeabilityOf } from './merge-request.js'
import {
  appendClosingLine,
  escapeMarkdown,
  forgeWire,
  hasClosingLine,
  projectAddress,
  projectIdIn,
} from './wire.js'

describe('the address of the project on the forge', () => {
  const api = 'https://forge.example/gitlab/api/v4'
  const rows: ReadonlyArray<readonly [url: string, project: string, address: unknown]> = [
    [api, '42', `${api}/projects/42`],
    [`${api}/`, 'lore/kroniki', `${api}/projects/lore%2Fkroniki`],
    [api, 'a/b.c/d-e', `${api}/projects/a%2Fb.c%2Fd-e`],
    ['http://127.0.0.1:8080/api/v4', '1', 'http://127.0.0.1:8080/api/v4/projects/1'],
    ['http://forge.example/api/v4', '1', { bad: 'api_url' }],
    ['https://forge.example/api/v3', '1', { bad: 'api_url' }],
    ['https://token@forge.example/api/v4', '1', { bad: 'api_url' }],
    ['', '1', { bad: 'api_url' }],
    [api, '', { bad: 'project' }],
    [api, 'lore', { bad: 'project' }],
    [api, '../..', { bad: 'project' }],
    [api, 'lore/..', { bad: 'project' }],
    [api, 'lore/a?b', { bad: 'project' }],
    [api, 'lore/a%2Fb', { bad: 'project' }],
    [api, `lore/${'a'.repeat(300)}`, { bad: 'project' }],
  ]
  for (const [url, project, address] of rows)
    it(`comes from its URL and its id or path: ${url} ${project.slice(0, 20)}`, () =>
      deepEqual(projectAddress(url, project), address))
})

describe('a call of the forge', () => {
  it('encodes the branch that it lists', () =>
    equal(
      forgeWire({ _tag: 'ListRequests', sourceBranch: 'fleet/takeover/2-a&b' }).path,
      '/merge_requests?source_branch=fleet%2Ftakeover%2F2-a%26b&state=all&order_by=created_at&sort=desc&per_page=20',
    ))

  it('lists no requests of forks where the project is configured by its number', () => {
    const call = { _tag: 'ListRequests', sourceBranch: 'a' } as const
    match(forgeWire(call, '42').path, /\?source_branch=a&source_project_id=42&state=all/)
    equal(projectIdIn('https://forge.example/api/v4/projects/42'), '42')
    equal(projectIdIn('https://forge.example/api/v4/projects/lore%2F42'), null)
  })

  it('shows the reason of a caller as it is written', () =>
    equal(
      escapeMarkdown('Dark. @all closes #1, !2 [a](javascript:b) <img> `x`'),
      'Dark. \\@all closes \\#1, \\!2 \\[a\\](javascript:b) \\<img\\> \\`x\\`',
    ))

  it('keeps no line of a description that the forge would run', () => {
    const call = { _tag: 'CloseRequest', iid: 1, description: '/merge\nok /close\n  /approve' } as const
    deepEqual(JSON.parse(forgeWire(call).body ?? ''), {
      state_event: 'close',
      description: '\\/merge\nok /close\n  \\/approve',
    })
  })

  it('merges at its commit and without a squash', () =>
    deepEqual(JSON.parse(forgeWire({ _tag: 'MergeRequest', iid: 3, sha: 'abc' }).body ?? ''), {
      sha: 'abc',
      squash: false,
      should_remove_source_branch: false,
    }))

  it('leaves the merge to the forge where a pipeline runs', () => {
    const body = forgeWire({ _tag: 'MergeRequest', iid: 3, sha: 'abc', whenChecksSucceed: true }).body ?? ''
    deepEqual(JSON.parse(body), {
      sha: 'abc',
      squash: false,
      should_remove_source_branch: false,
      merge_when_pipeline_succeeds: true,
    })
  })
})

describe('the line of a closing', () => {
  it('is distinguished from a line that a person wrote', () => {
    equal(hasClosingLine(appendClosingLine('', 'Erathia', 'superseded')), true)
    equal(hasClosingLine(appendClosingLine('Deyja is dark.', 'Erathia', 'a\nb')), true)
    for (const text of ['', 'closed-by: me', 'see closed-by: kronika Erathia: x', 'closed-by: kronika'])
      equal(hasClosingLine(text), false, text)
  })

  it('is one line, whatever its reason holds', () =>
    equal(appendClosingLine('', 'Erathia', 'a\n/merge\u2028b'), 'closed-by: kronika Erathia: a /merge b'))
})

describe('whether a request can be merged', () => {
  it('is pending for a status that is new here', () => {
    for (const status of ['checking', 'unchecked', 'preparing', 'ci_still_running', 'not_approved', 'new'])
      equal(mergeabilityOf(status), 'pending', status)
    deepEqual(['mergeable', null, 'conflict', 'need_rebase', 'commits_status'].map(mergeabilityOf), [
      'mergeable',
      'mergeable',
      'conflict',
      'conflict',
      'empty',
    ])
  })
})

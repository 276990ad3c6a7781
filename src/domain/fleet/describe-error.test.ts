import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { ForgeOutcome } from '#protocol/host/forge.js'
import { takeoverJob } from '#test/support/fleet/topologies.js'
import { describeTakeoverError } from './takeover.js'
import type { TakeoverAction, TakeoverOutcome } from './takeover-run.js'

const errorOf = (action: TakeoverAction, outcome: TakeoverOutcome): string | null =>
  describeTakeoverError(takeoverJob, action, outcome)

const request = (mergeStatus: string): ForgeOutcome => ({
  _tag: 'Request',
  request: {
    iid: 7,
    url: '',
    state: 'opened',
    sourceBranch: 's',
    targetBranch: 'main',
    sha: 'c',
    description: '',
    mergeStatus,
    mergedAtMs: null,
    mergeCommit: null,
  },
})

describe('the error of an action of a takeover', () => {
  const merging: TakeoverAction = { _tag: 'CallForge', call: { _tag: 'MergeRequest', iid: 7, sha: 'c' } }
  const cases: ReadonlyArray<readonly [ForgeOutcome, string | null]> = [
    [{ _tag: 'Faulty', status: 500, waitMs: null }, 'the forge answered 500 to the merge of the request'],
    [
      { _tag: 'Limited', waitMs: 30_000 },
      'the forge has had too many requests (429) and did not take the merge of the request',
    ],
    [
      { _tag: 'Garbled', isPage: true },
      'a web page came in place of the answer of the forge to the merge of the request, as from a proxy or a sign-in page',
    ],
    [
      { _tag: 'Garbled', isPage: false },
      'the answer of the forge to the merge of the request cannot be read',
    ],
    [{ _tag: 'Denied', status: 401 }, 'the forge answered 401 to the merge of the request'],
    [
      { _tag: 'NoAnswer', failure: 'timeout' },
      'the forge gave no usable answer to the merge of the request: timeout',
    ],
    [{ _tag: 'NotMergeable' }, null],
    [{ _tag: 'Conflict' }, null],
    [request('not_approved'), 'the forge does not merge the request !7 yet: not_approved'],
    [request('checking'), null],
    [request('mergeable'), null],
  ]
  for (const [outcome, error] of cases)
    it(`is ${error ?? 'nothing'} for ${JSON.stringify(outcome)}`, () =>
      equal(errorOf(merging, { _tag: 'Answered', outcome }), error))

  it('is the detail of git, without credentials', () => {
    const detail = "fatal: unable to access 'https://u:s3cret@git.example/lore.git/'"
    equal(
      errorOf({ _tag: 'Fetch', claimBranch: 'b' }, { _tag: 'FetchFailed', detail, isFinal: false }),
      "the fetch failed: fatal: unable to access 'https://[redacted]@git.example/lore.git/'",
    )
  })

  it('is the silence of the town that the request names, not that of the apex', () => {
    const probe = (town: string, result: 'silent' | 'not_sent') =>
      errorOf({ _tag: 'ProbeTown', town }, { _tag: 'Probed', result })
    equal(probe('Erathia', 'silent'), null)
    equal(probe('Avlee', 'silent'), 'Avlee, which the request names, does not answer')
    equal(probe('Erathia', 'not_sent'), 'this host could not send a probe to Erathia')
  })
})

import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { ForgeCall, ForgeOutcome } from '#protocol/host/forge.js'
import { type ForgeReaction, reactTo } from './merge-request.js'

const read: ForgeCall = { _tag: 'ReadRequest', iid: 1 }
const merge: ForgeCall = { _tag: 'MergeRequest', iid: 1, sha: 'a' }
const open: ForgeCall = {
  _tag: 'OpenRequest',
  sourceBranch: 'b',
  targetBranch: 'm',
  title: '',
  description: '',
}

const rows: ReadonlyArray<
  readonly [what: string, call: ForgeCall, outcome: ForgeOutcome, after: ForgeReaction]
> = [
  ['409 adopts', open, { _tag: 'Conflict' }, { _tag: 'Adopt' }],
  ['405 waits for the checks', merge, { _tag: 'NotMergeable' }, { _tag: 'Wait' }],
  ['422 of a merge is looked into', merge, { _tag: 'Refused', status: 422 }, { _tag: 'Wait' }],
  [
    '422 of an opening stops',
    open,
    { _tag: 'Refused', status: 422 },
    { _tag: 'Stop', refusal: { _tag: 'Refused', status: 422 } },
  ],
  ['429 is obeyed', open, { _tag: 'Limited', waitMs: 61_000 }, { _tag: 'Retry', waitMs: 61_000 }],
  ['429 without a wait backs off', open, { _tag: 'Limited', waitMs: null }, { _tag: 'Retry', waitMs: 8_000 }],
  ['429 with a wait of 0 backs off', open, { _tag: 'Limited', waitMs: 0 }, { _tag: 'Retry', waitMs: 8_000 }],
  [
    '5xx of a read is repeated',
    read,
    { _tag: 'Faulty', status: 500, waitMs: null },
    { _tag: 'Retry', waitMs: 8_000 },
  ],
  [
    '5xx of a change is looked into',
    merge,
    { _tag: 'Faulty', status: 503, waitMs: 3_000 },
    { _tag: 'Look', waitMs: 3_000 },
  ],
  [
    'a time-out of a change is looked into',
    merge,
    { _tag: 'NoAnswer', failure: 'timeout' },
    { _tag: 'Look', waitMs: 8_000 },
  ],
  [
    'a change that was not sent is repeated',
    merge,
    { _tag: 'NoAnswer', failure: 'not_sent' },
    { _tag: 'Retry', waitMs: 8_000 },
  ],
  [
    'a garbled change is looked into',
    open,
    { _tag: 'Garbled', isPage: false },
    { _tag: 'Look', waitMs: 8_000 },
  ],
  ['404 stops', read, { _tag: 'Missing' }, { _tag: 'Stop', refusal: { _tag: 'Missing' } }],
]

describe('the reaction to an outcome of the forge', () => {
  for (const [what, call, outcome, after] of rows) it(what, () => deepEqual(reactTo(call, outcome, 2), after))

  it('stops at 401 and 403, whatever the call', () => {
    for (const call of [read, merge, open])
      for (const status of [401, 403] as const)
        equal(reactTo(call, { _tag: 'Denied', status }, 0)._tag, 'Stop')
  })

  it('backs off to a minute at most', () => {
    deepEqual(reactTo(read, { _tag: 'Limited', waitMs: null }, 100), { _tag: 'Retry', waitMs: 60_000 })
  })
})

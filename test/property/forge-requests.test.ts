import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { ForgeCall, ForgeOutcome } from '#protocol/host/forge.js'
import {
  advanceRequestClosing,
  advanceRequestMerge,
  beginRequestClosing,
  beginRequestMerge,
  type RequestClosingEnd,
  type RequestMergeEnd,
  type RequestMergeGoal,
} from '#src/domain/forge/merge-request.js'
import { hasClosingLine } from '#src/domain/forge/wire.js'
import { ForgeModel, type ModelFault } from '#test/support/forge/forge-model.js'
import { runsOf } from '#test/support/runs.js'

const goal: RequestMergeGoal = {
  sourceBranch: 'b',
  targetBranch: 'main',
  sha: 'tip',
  title: 't',
  description: 'd',
  version: 'one',
  deadlineAtMs: 600_000,
}

interface Course<E> {
  readonly end: E
  readonly calls: ReadonlyArray<{ readonly call: ForgeCall; readonly atMs: number }>
  readonly endMs: number
}

/** Merges on virtual time; each call takes `callMs`. */
const mergeWith = (
  answer: (call: ForgeCall, n: number) => ForgeOutcome,
  callMs = 50,
): Course<RequestMergeEnd> => {
  const calls: Array<{ readonly call: ForgeCall; readonly atMs: number }> = []
  let monotonicMs = 0
  let step = beginRequestMerge(goal, { monotonicMs })
  while (step._tag === 'Call') {
    monotonicMs += step.afterMs
    const { call } = step.merge
    calls.push({ call, atMs: monotonicMs })
    const outcome = answer(call, calls.length - 1)
    monotonicMs += callMs
    step = advanceRequestMerge(step.merge, outcome, { monotonicMs })
  }
  return { end: step.end, calls, endMs: monotonicMs }
}

const close = (answer: (call: ForgeCall, n: number) => ForgeOutcome): Course<RequestClosingEnd> => {
  const calls: Array<{ readonly call: ForgeCall; readonly atMs: number }> = []
  let monotonicMs = 0
  const wanted = { iid: 1, town: 'Erathia', reason: 'the apex answers', deadlineAtMs: 60_000 }
  let step = beginRequestClosing(wanted, { monotonicMs })
  while (step._tag === 'Call') {
    monotonicMs += step.afterMs
    const { call } = step.closing
    calls.push({ call, atMs: monotonicMs })
    const outcome = answer(call, calls.length - 1)
    monotonicMs += 50
    step = advanceRequestClosing(step.closing, outcome, { monotonicMs })
  }
  return { end: step.end, calls, endMs: monotonicMs }
}

const fault: fc.Arbitrary<ModelFault | undefined> = fc.constantFrom(
  undefined,
  'lost',
  'not_sent',
  'refused',
  'timeout',
  'garbled',
  'limited',
  'faulty',
  'faulty_after',
  'checking',
)
const anyOutcome: fc.Arbitrary<ForgeOutcome> = fc.oneof(
  fc.constantFrom<ForgeOutcome>(
    { _tag: 'Conflict' },
    { _tag: 'NotMergeable' },
    { _tag: 'Garbled', isPage: false },
    { _tag: 'Requests', requests: [] },
    { _tag: 'Limited', waitMs: null },
    { _tag: 'Limited', waitMs: 0 },
    { _tag: 'Faulty', status: 500, waitMs: 0 },
    { _tag: 'NoAnswer', failure: 'timeout' },
  ),
  fc
    .record({
      state: fc.constantFrom('opened', 'locked'),
      sha: fc.constantFrom('tip', null),
      mergeStatus: fc.constantFrom('mergeable', 'checking', 'not_approved', 'new_status', null),
    })
    .map(({ state, sha, mergeStatus }): ForgeOutcome => {
      const model = new ForgeModel('tip', 0)
      model.add({ sha, mergeStatus })
      const [request] = model.requests
      return request === undefined
        ? { _tag: 'Missing' }
        : { _tag: 'Request', request: { ...request, state: state === 'locked' ? 'locked' : 'opened' } }
    }),
)
const runs = { numRuns: runsOf(500) }

describe('merging a branch through the forge', () => {
  it('merges one request once the faults are over, whatever they were', () => {
    fc.assert(
      fc.property(fc.array(fault, { maxLength: 8 }), fc.nat(4), (faults, checks) => {
        const model = new ForgeModel('tip', checks)
        const { end } = mergeWith((call, n) => model.answer(call, faults[n]))
        deepEqual([end._tag, model.opened], ['Merged', 1])
        equal(model.requests.filter(({ state }) => state === 'merged').length, 1)
      }),
      runs,
    )
  })

  it('ends by its deadline with few calls, however the forge answers', () => {
    fc.assert(
      fc.property(fc.array(anyOutcome, { minLength: 1, maxLength: 6 }), outcomes => {
        const last = outcomes.length
        const { calls, endMs } = mergeWith((_, n) => outcomes[n % last] ?? { _tag: 'Missing' })
        ok(calls.every(({ atMs }) => atMs < goal.deadlineAtMs))
        ok(endMs <= goal.deadlineAtMs + 50 && calls.length < 500, `${calls.length} calls`)
      }),
      runs,
    )
  })

  it('stops at the first refusal of the token and makes no call after it', () => {
    fc.assert(
      fc.property(fc.array(fault, { maxLength: 6 }), fc.constantFrom(401, 403), (faults, status) => {
        const model = new ForgeModel('tip', 0)
        const { end, calls } = mergeWith((call, n) =>
          n < faults.length ? model.answer(call, faults[n]) : { _tag: 'Denied', status },
        )
        if (end._tag === 'Failed') {
          deepEqual(end.fault, { _tag: 'Denied', status })
          equal(calls.length, faults.length + 1)
        } else equal(end._tag, 'Merged')
      }),
      runs,
    )
  })

  it('never merges a commit that is not its own', () => {
    fc.assert(
      fc.property(fc.array(fault, { maxLength: 6 }), faults => {
        const model = new ForgeModel('another', 0)
        const { end, calls } = mergeWith((call, n) => model.answer(call, faults[n]))
        equal(end._tag, 'Moved')
        ok(calls.every(({ call }) => call._tag !== 'MergeRequest'))
      }),
      runs,
    )
  })

  it('opens none beside one that a person closed, and goes past those that a daemon closed', () => {
    const withClosed = (description: string) => {
      const model = new ForgeModel('tip', 0)
      model.add({ state: 'closed', description })
      return { ...mergeWith(call => model.answer(call, undefined)), opened: model.opened }
    }
    const vetoed = withClosed('Erathia is dark.')
    deepEqual([vetoed.end._tag, vetoed.opened], ['Vetoed', 0])
    const earlier = withClosed('Erathia is dark.\n\nclosed-by: kronika Deyja: the apex answers')
    deepEqual([earlier.end._tag, earlier.opened], ['Merged', 1])
  })

  it('adopts a request that is open, and one that another host opened in the same moment', () => {
    const model = new ForgeModel('tip', 0)
    let isAdded = false
    const { end, calls } = mergeWith(call => {
      if (call._tag === 'OpenRequest' && !isAdded) {
        isAdded = true
        model.add({})
      }
      return model.answer(call, undefined)
    })
    equal(end._tag, 'Merged')
    deepEqual(
      calls.map(({ call }) => call._tag),
      ['ListRequests', 'OpenRequest', 'ListRequests', 'MergeRequest'],
    )
    equal(model.opened, 0)
  })

  it('obeys a wait that reaches past its deadline by giving up', () => {
    const { end, calls } = mergeWith(() => ({ _tag: 'Limited', waitMs: 3_600_000 }))
    deepEqual(end, {
      _tag: 'Failed',
      fault: {
        _tag: 'TimedOut',
        status: 'too many requests (429), the next one in 3600 s',
      },
      request: null,
    })
    equal(calls.length, 1)
  })
})

describe('closing a request', () => {
  it('leaves it closed with the line of the daemon, or merged, once the faults are over', () => {
    fc.assert(
      fc.property(fc.array(fault, { maxLength: 4 }), fc.boolean(), (faults, isMerged) => {
        const model = new ForgeModel('tip', 0)
        model.add({ description: 'Erathia is dark.', state: isMerged ? 'merged' : 'opened' })
        const { end } = close((call, n) => model.answer(call, faults[n]))
        equal(end._tag, isMerged ? 'Merged' : 'Closed')
        equal(hasClosingLine(model.requests[0]?.description ?? ''), !isMerged)
      }),
      runs,
    )
  })
})

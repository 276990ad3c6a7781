import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { ForgeOutcome, ForgeRequest } from '#protocol/host/forge.js'
import { describeOutcome } from './merge-request.js'
import {
  advanceRequestPublish,
  beginRequestPublish,
  decidePublish,
  listForgeMerges,
  pickPublishRequest,
  type RequestPublishStep,
} from './publish-request.js'
import { appendClosingLine } from './wire.js'

const sha = 'a'.repeat(40)
const goal = { town: 'Deyja', sourceBranch: 'svc/publish/Deyja', targetBranch: 'main', sha }

const requestOf = (change: Partial<ForgeRequest> = {}): ForgeRequest => ({
  iid: 1,
  url: 'https://forge.example/lore/-/merge_requests/1',
  state: 'opened',
  sourceBranch: goal.sourceBranch,
  targetBranch: 'main',
  sha,
  description: '',
  mergeStatus: 'mergeable',
  mergedAtMs: null,
  mergeCommit: null,
  ...change,
})
const answerWith = (change: Partial<ForgeRequest>): ForgeOutcome => ({
  _tag: 'Request',
  request: requestOf(change),
})

describe('the request that publishes a branch', () => {
  it('is the open one, else the newest; other targets and those that a daemon closed do not count', () => {
    const merged = requestOf({ iid: 2, state: 'merged' })
    const closed = requestOf({ iid: 3, state: 'closed' })
    const ours = { ...closed, iid: 4, description: appendClosingLine('', 'Deyja', 'done') }
    const foreign = requestOf({ iid: 5, targetBranch: 'other' })
    const pick = (...all: ReadonlyArray<ForgeRequest>) => pickPublishRequest('main', all)?.iid ?? null
    equal(pick(foreign, ours, closed, merged), 3)
    equal(pick(ours, merged, closed), 2)
    equal(pick(closed, requestOf()), 1)
    equal(pick(foreign, ours), null)
  })

  it('names the merges that made a commit, with the tip that they merged', () => {
    const [tip, commit] = [sha, 'b'.repeat(40)]
    const merged = requestOf({ state: 'merged', mergeCommit: commit })
    const useless = [
      { ...merged, state: 'closed' as const },
      { ...merged, targetBranch: 'other' },
      { ...merged, mergeCommit: null },
      { ...merged, mergeCommit: '--upload-pack=x' },
      { ...merged, sha: null },
    ]
    deepEqual(listForgeMerges('main', [...useless, merged]), [{ tip, commit }])
  })
})

describe('what is done with a branch to publish', () => {
  const facts = { request: null, isTakenOver: false, hasNewWrites: true }

  it('is nothing once the target has the contents, where an open request is closed', () => {
    equal(decidePublish({ ...facts, isTakenOver: true })._tag, 'Nothing')
    equal(
      decidePublish({ ...facts, isTakenOver: true, request: requestOf({ state: 'merged' }) })._tag,
      'Nothing',
    )
    equal(decidePublish({ ...facts, isTakenOver: true, request: requestOf() })._tag, 'Close')
  })

  it('is nothing after a person closed the request, until this host writes', () => {
    const request = requestOf({ state: 'closed' })
    equal(decidePublish({ ...facts, request, hasNewWrites: false })._tag, 'Refrain')
    deepEqual(decidePublish({ ...facts, request }), { _tag: 'Push', open: null })
  })

  it('is a push that goes on with the open request', () => {
    deepEqual(decidePublish({ ...facts, request: requestOf() }), { _tag: 'Push', open: requestOf() })
    deepEqual(decidePublish({ ...facts, request: requestOf({ state: 'merged' }) }), {
      _tag: 'Push',
      open: null,
    })
  })
})

describe('the calls that publish a branch', () => {
  const advance = (step: RequestPublishStep, outcome: ForgeOutcome): RequestPublishStep =>
    step._tag === 'Call' ? advanceRequestPublish(step.publish, outcome) : step
  const play = (open: ForgeRequest | null, ...outcomes: ReadonlyArray<ForgeOutcome>) =>
    outcomes.reduce<RequestPublishStep>(advance, beginRequestPublish(goal, open))
  const shown = (step: RequestPublishStep) => (step._tag === 'Call' ? step.publish.call._tag : step.end._tag)

  it('open or read, then merge exactly the commit', () => {
    equal(shown(play(null)), 'OpenRequest')
    equal(shown(play(requestOf())), 'ReadRequest')
    const merging = play(null, answerWith({}))
    deepEqual(merging._tag === 'Call' && merging.publish.call, { _tag: 'MergeRequest', iid: 1, sha })
    equal(shown(play(null, answerWith({}), answerWith({ state: 'merged' }))), 'Merged')
  })

  it('let the forge merge when the pipeline that runs has succeeded', () => {
    const step = play(requestOf(), answerWith({ mergeStatus: 'ci_still_running' }))
    const call = { _tag: 'MergeRequest', iid: 1, sha, whenChecksSucceed: true }
    deepEqual(step._tag === 'Call' && step.publish.call, call)
    equal(shown(advance(step, answerWith({ mergeStatus: 'ci_still_running' }))), 'Waits')
  })

  it('wait for people, for checks, for a conflict to be solved, and for a push to be seen', () => {
    for (const mergeStatus of ['checking', 'not_approved', 'conflict', 'commits_status', 'some_new_status'])
      equal(shown(play(requestOf(), answerWith({ mergeStatus }))), 'Waits')
    equal(shown(play(requestOf(), answerWith({ sha: 'c'.repeat(40) }))), 'Waits')
    equal(shown(play(requestOf(), answerWith({}), { _tag: 'NotMergeable' })), 'Waits')
    equal(shown(play(requestOf(), answerWith({}), { _tag: 'Conflict' })), 'Waits')
    equal(shown(play(null, { _tag: 'Conflict' })), 'Waits')
  })

  it('end at once where the forge refuses or does not answer, so that the next converge lists first', () => {
    equal(shown(play(null, { _tag: 'Denied', status: 403 })), 'Refused')
    for (const outcome of [
      { _tag: 'Faulty', status: 502, waitMs: null },
      { _tag: 'Limited', waitMs: 60_000 },
      { _tag: 'Garbled', isPage: true },
      { _tag: 'NoAnswer', failure: 'timeout' },
    ] as const)
      equal(shown(play(null, outcome)), 'Unanswered')
    equal(shown(play(requestOf(), answerWith({ state: 'closed' }))), 'Closed')
  })

  it('say in words why', () => {
    for (const [outcome, words] of [
      [{ _tag: 'Limited', waitMs: 60_000 }, 'too many requests (429), the next one in 60 s'],
      [{ _tag: 'Limited', waitMs: null }, 'too many requests (429)'],
      [{ _tag: 'Garbled', isPage: true }, 'a web page in place of data'],
      [{ _tag: 'Garbled', isPage: false }, 'an answer that is not that of its interface'],
      [{ _tag: 'Missing' }, 'status 404: no such project or request'],
      [{ _tag: 'Faulty', status: 502, waitMs: null }, 'status 502'],
    ] as const)
      ok(describeOutcome(outcome).startsWith(words), describeOutcome(outcome))
  })
})

import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { ForgeAnswer, ForgeCall, ForgeRequest } from '#protocol/host/forge.js'
import { type ForgeContract, forgeContract } from '#test/support/forge/forge-contract.js'
import type { ForgeFault } from '#test/support/forge/forge-faults.js'
import {
  claimBranch,
  type ForgeWorld,
  fileOnMain,
  forgeWorld,
  gitBeside,
  goalOf,
  mergeOver,
  portOfDouble,
} from '#test/support/forge/forge-world.js'
import { gitIn, headIn } from '#test/support/repository.js'

const contract: ForgeContract | null = forgeContract()
const never = new AbortController().signal

describe('the forge over HTTP', () => {
  let world: ForgeWorld
  beforeEach(async () => {
    world = await forgeWorld()
  })
  afterEach(() => world.dispose())

  const ask = (call: ForgeCall, timeoutMs = 10_000): Promise<ForgeAnswer> =>
    world.port(call, timeoutMs, never)
  const open: ForgeCall = {
    _tag: 'OpenRequest',
    sourceBranch: claimBranch,
    targetBranch: 'main',
    title: 'Deyja takes over',
    description: 'Erathia jest ciemna.',
  }
  const requestIn = ({ outcome }: ForgeAnswer): ForgeRequest => {
    ok(outcome._tag === 'Request', outcome._tag)
    return outcome.request
  }
  const again = async (options: Parameters<typeof forgeWorld>[0]): Promise<void> => {
    await world.dispose()
    world = await forgeWorld(options)
  }

  it('opens a request with the token of the host, and hears the date of the forge', async () => {
    const dateMs = Date.parse('2026-06-15T12:00:00Z')
    await again({ nowMs: () => dateMs })
    const answer = await ask(open)
    deepEqual([requestIn(answer).state, requestIn(answer).sha, answer.dateMs], ['opened', world.sha, dateMs])
    const { headers } = world.double.calls[0] ?? {}
    deepEqual(
      [headers?.['private-token'], headers?.['user-agent'], headers?.connection, headers?.authorization],
      [world.double.token, 'Kronika (self-hosted, 0)', 'close', undefined],
    )
  })

  it('lists, merges and closes requests, and its merge is in the repository', async () => {
    const { iid } = requestIn(await ask(open))
    const listed = await ask({ _tag: 'ListRequests', sourceBranch: claimBranch })
    ok(listed.outcome._tag === 'Requests')
    deepEqual(
      listed.outcome.requests.map(one => one.iid),
      [iid],
    )
    deepEqual((await ask({ _tag: 'ListRequests', sourceBranch: 'other' })).outcome, {
      _tag: 'Requests',
      requests: [],
    })
    const merged = requestIn(await ask({ _tag: 'MergeRequest', iid, sha: world.sha }))
    equal(merged.state, 'merged')
    equal(merged.mergeCommit, headIn(world.bare, 'refs/heads/main'))
    equal(gitIn(world.bare, 'rev-parse', 'main^2'), world.sha)
    equal(fileOnMain(world), '{"term": 2}')

    await gitBeside(world.clone, 'push', '-q', 'origin', 'main:refs/heads/another')
    const second = requestIn(await ask({ ...open, sourceBranch: 'another' }))
    const closed = requestIn(await ask({ _tag: 'CloseRequest', iid: second.iid, description: 'over' }))
    deepEqual([closed.state, closed.description], ['closed', 'over'])
  })

  it('tells a request that is there from one that is refused, by the status', async () => {
    const { iid } = requestIn(await ask(open))
    equal((await ask(open)).outcome._tag, 'Conflict')
    equal((await ask({ _tag: 'MergeRequest', iid, sha: 'f'.repeat(40) })).outcome._tag, 'Conflict')
    deepEqual((await ask({ ...open, sourceBranch: 'none' })).outcome, { _tag: 'Refused', status: 400 })
    equal((await ask({ _tag: 'ReadRequest', iid: 99 })).outcome._tag, 'Missing')
  })

  it('makes only calls of the contract, and hears only answers of it', async function () {
    if (contract === null) {
      process.stdout.write('    the contract of the forge is not here\n')
      return this.skip()
    }
    const { iid } = requestIn(await ask(open))
    await ask({ _tag: 'ListRequests', sourceBranch: claimBranch })
    await ask({ _tag: 'ReadRequest', iid })
    await ask({ _tag: 'MergeRequest', iid, sha: world.sha })
    await ask({ _tag: 'CloseRequest', iid, description: '' })
    deepEqual(world.double.calls.flatMap(contract.breachesOf), [])
    const before = world.double.calls.length
    await ask({ _tag: 'StartPipeline', ref: 'main', variables: { KIND: 'model' } })
    await ask({ _tag: 'ReadPipeline', pipelineId: 3 })
    await ask({ _tag: 'ListJobs', pipelineId: 3 })
    for (const action of ['retry', 'play', 'cancel'] as const)
      await ask({ _tag: 'ActOnJob', jobId: 4, action })
    await ask({ _tag: 'ReadTrace', jobId: 4 })
    const later = world.double.calls.slice(before).map(call => ({ ...call, status: null }))
    deepEqual(later.flatMap(contract.breachesOf), [])
    equal(contract.calls.length, before + later.length)
  })

  it('merges a branch while the forge still checks', async () => {
    let nowMs = Date.parse('2026-06-15T12:00:00Z')
    await again({ checksMs: 4_000, nowMs: () => (nowMs += 500) })
    const end = await mergeOver(world.port, goalOf(world))
    equal(end._tag, 'Merged')
    ok(world.double.calls.filter(({ operation }) => operation === 'read').length >= 2)
  })

  it('merges once checks that have no status are over, by its 405', async () => {
    world.double.disturb({ on: 'merge', do: 405, times: 3 })
    equal((await mergeOver(world.port, goalOf(world)))._tag, 'Merged')
    equal(world.double.calls.filter(({ operation }) => operation === 'merge').length, 4)
  })

  it('takes a merge that the forge squashes for a merge', async () => {
    await again({ squashes: true })
    const end = await mergeOver(world.port, goalOf(world))
    ok(end._tag === 'Merged')
    equal(end.request.mergeCommit, headIn(world.bare, 'refs/heads/main'))
    equal(gitIn(world.bare, 'rev-list', '--parents', '-1', 'main').split(' ').length, 2)
    equal(fileOnMain(world), '{"term": 2}')
  })

  it('gives up, without a merge, on a request that waits for people until its deadline', async () => {
    await again({ blockedBy: 'not_approved' })
    const end = await mergeOver(world.port, { ...goalOf(world), deadlineAtMs: 30_000 })
    ok(end._tag === 'Failed')
    deepEqual(end.fault, { _tag: 'TimedOut', status: 'not_approved' })
    equal(fileOnMain(world), '{"term": 1}')
  })

  it('ends where a person closes its request', async () => {
    world.double.disturb({ on: 'open', do: 'veto' })
    equal((await mergeOver(world.port, goalOf(world)))._tag, 'Vetoed')
    equal((await mergeOver(world.port, goalOf(world)))._tag, 'Vetoed')
    equal(world.double.requests().length, 1)
  })

  const troubles: ReadonlyArray<readonly [what: string, faults: ReadonlyArray<ForgeFault>]> = [
    ['500 of every call', [{ on: 'any', do: 500, times: 3 }]],
    ['429 without a wait', [{ on: 'open', do: 429, times: 2 }]],
    ['a time-out after the request was opened', [{ on: 'open', do: 'lose' }]],
    ['a time-out after the merge', [{ on: 'merge', do: 'lose' }]],
    ['a time-out of a call that was not performed', [{ on: 'open', do: 'hang' }]],
    ['an answer to the merge that is no JSON', [{ on: 'merge', do: 'garble' }]],
    ['connections that end', [{ on: 'any', do: 'hang_up', times: 4 }]],
  ]
  for (const [what, faults] of troubles)
    it(`opens one request and merges it once, whatever comes: ${what}`, async () => {
      world.double.disturb(...faults)
      const timesOut = faults.some(one => one.do === 'lose' || one.do === 'hang')
      equal((await mergeOver(world.port, goalOf(world), timesOut ? 400 : undefined))._tag, 'Merged')
      equal(world.double.requests().length, 1)
      equal(fileOnMain(world), '{"term": 2}')
      equal(gitIn(world.bare, 'rev-list', '--merges', '--count', 'main'), '1')
    })

  it('lets three hosts that ask at once merge one request', async () => {
    const ends = await Promise.all([1, 2, 3].map(() => mergeOver(world.port, goalOf(world))))
    deepEqual(
      ends.map(({ _tag }) => _tag),
      ['Merged', 'Merged', 'Merged'],
    )
    equal(world.double.requests().length, 1)
    equal(gitIn(world.bare, 'rev-list', '--merges', '--count', 'main'), '1')
  })

  it('SECURITY 4.5 a token that the forge refuses is shown once', async () => {
    const port = portOfDouble(world.double, 'another-token')
    const end = await mergeOver(port, goalOf(world))
    deepEqual(end, { _tag: 'Failed', fault: { _tag: 'Denied', status: 401 }, request: null })
    equal(world.double.calls.length, 1)
  })

  it('SECURITY 4.5 403 stops, without a retry', async () => {
    world.double.disturb({ on: 'merge', do: 403 })
    const end = await mergeOver(world.port, goalOf(world))
    ok(end._tag === 'Failed' && end.request !== null)
    deepEqual(end.fault, { _tag: 'Denied', status: 403 })
    deepEqual(
      world.double.calls.map(({ operation }) => operation),
      ['list', 'open', 'merge'],
    )
  })
})

describe('the remote of the double', () => {
  let world: ForgeWorld
  beforeEach(async () => {
    world = await forgeWorld()
  })
  afterEach(() => world.dispose())

  it('takes fetches and pushes of git, and refuses a push that is forced', async () => {
    const at = world.clone
    await gitBeside(at, 'fetch', '-q', 'origin')
    equal(await gitBeside(at, 'rev-parse', `origin/${claimBranch}`), world.sha)
    await gitBeside(at, 'commit', '-q', '--allow-empty', '-m', 'more')
    await gitBeside(at, 'push', '-q', 'origin', claimBranch)
    const tip = gitIn(world.bare, 'rev-parse', claimBranch)
    equal(tip, await gitBeside(at, 'rev-parse', 'HEAD'))
    const forced = await gitBeside(at, 'push', '-f', 'origin', `main:${claimBranch}`).catch(() => 'refused')
    equal(forced, 'refused')
    equal(gitIn(world.bare, 'rev-parse', claimBranch), tip)
  })

  it('takes a push whose answer is lost', async () => {
    const at = world.clone
    await gitBeside(at, 'commit', '-q', '--allow-empty', '-m', 'more')
    world.double.disturb({ on: 'push', do: 'lose' })
    const pushed = await gitBeside(at, 'push', 'origin', claimBranch).catch(() => 'lost')
    equal(pushed, 'lost')
    equal(gitIn(world.bare, 'rev-parse', claimBranch), await gitBeside(at, 'rev-parse', 'HEAD'))
  })
})

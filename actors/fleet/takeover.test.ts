import { deepEqual, equal, match } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { afterEach, describe, it } from 'mocha'
import { branchOfJob, type CooldownWord, type TakeoverAction } from '#src/domain/fleet/takeover-run.js'
import { gitsOf } from '#test/support/counted-git.js'
import type { ForgeDoubleOptions } from '#test/support/forge/forge-double.js'
import type { ForgeFault } from '#test/support/forge/forge-faults.js'
import {
  fleetTextOf,
  runTakeover,
  type TakeoverWorld,
  takeoverWorld,
} from '#test/support/forge/takeover-world.js'
import { gitIn } from '#test/support/repository.js'
import { areWhole } from '#test/support/runs.js'

let world: TakeoverWorld | null = null
afterEach(() => world?.dispose())
const open = async (options: Partial<ForgeDoubleOptions> = {}): Promise<TakeoverWorld> => {
  world = await takeoverWorld(options)
  return world
}

describe('a takeover over a forge', function () {
  this.timeout(60_000)

  it('flips the apex by one request, whose commit has the dates of the tip and a trailer', async () => {
    const here = await open()
    const job = here.job('Deyja')
    const end = await runTakeover(here.host('Deyja'), job)
    equal(end._tag, 'Done')
    const { apex, term, note } = here.file() as Record<string, unknown>
    deepEqual([apex, term, note], ['Deyja', 4, 'kept'])
    deepEqual([here.flips(), here.requestStates()], [1, ['merged']])
    const [request] = here.double.requests()
    match(request?.description ?? '', /Reason: The apex is dark\.[\s\S]+3 probes of Erathia/)
    const branch = branchOfJob(job)
    equal(
      gitIn(here.bare, 'show', '-s', '--format=%cI %aI %(trailers:key=Svc-Takeover,valueonly)', branch),
      `${gitIn(here.bare, 'show', '-s', '--format=%cI %cI', `${branch}^`)} ${branch}`,
    )
  })

  it('makes the same commit on every host, so that hosts that ask at once share one request', async () => {
    const here = await open()
    const job = here.job('Deyja')
    const ends = await Promise.all(
      ['Deyja', 'Bracada', 'Erathia'].map(town => runTakeover(here.host(town), { ...job, isForced: true })),
    )
    equal(
      ends.some(({ _tag }) => _tag === 'Done'),
      true,
    )
    equal(
      ends.every(end => end._tag === 'Done' || end.failure === 'superseded'),
      true,
    )
    deepEqual([here.flips(), here.requestStates()], [1, ['merged']])
  })

  it('lets one of several towns win that ask for themselves at once', async () => {
    const here = await open()
    const ends = await Promise.all(
      ['Deyja', 'Bracada'].map(town => runTakeover(here.host(town), here.job(town))),
    )
    equal(
      ends.some(({ _tag }) => _tag === 'Done'),
      true,
    )
    deepEqual([here.flips(), here.requestStates()], [1, ['merged']])
  })

  it('makes one request and one flip when the process ends before any of its actions (S3)', async () => {
    const here = await open()
    const killsAt = areWhole ? [0, 1, 2, 3, 4, 5, 6, 7, 8] : [1, 4, 6]
    for (const [nth, killAt] of killsAt.entries()) {
      const job = here.job(nth % 2 === 0 ? 'Deyja' : 'Bracada')
      const host = here.host(job.town)
      let actions = 0
      const kill = (): Promise<void> => {
        actions += 1
        return actions > killAt ? Promise.reject(new Error('killed')) : Promise.resolve()
      }
      await runTakeover(host, job, { before: kill }).catch(() => null)
      await runTakeover(host, job, { earlier: { iid: null } })
      deepEqual([here.flips(), here.requestStates()], [nth + 1, Array(nth + 1).fill('merged')])
    }
  })

  const faults: Readonly<Record<string, ReadonlyArray<ForgeFault>>> = {
    '409 of the opening': [{ on: 'open', do: 409 }],
    'an opening whose answer is garbled': [{ on: 'open', do: 'garble' }],
    'a merge whose answer is garbled': [{ on: 'merge', do: 'garble' }],
    '429 with a wait': [{ on: 'any', do: 429, retryAfter: '60' }],
    '5xx of every first call': [
      { on: 'list', do: 503 },
      { on: 'open', do: 500 },
      { on: 'merge', do: 502 },
    ],
    '405 of a merge': [{ on: 'merge', do: 405, times: 3 }],
  }
  for (const [what, disturbed] of Object.entries(faults))
    it(`gets over ${what} with one request and one flip`, async () => {
      const here = await open()
      here.double.disturb(...disturbed)
      equal((await runTakeover(here.host('Deyja'), here.job('Deyja')))._tag, 'Done')
      deepEqual([here.flips(), here.requestStates()], [1, ['merged']])
    })

  for (const status of [401, 403])
    it(`stops at ${status}`, async () => {
      const here = await open()
      here.double.disturb({ on: 'any', do: status, times: 100 })
      const end = await runTakeover(here.host('Deyja'), here.job('Deyja'))
      deepEqual([end._tag === 'Failed' && end.failure, here.flips()], ['forge_refused', 0])
      equal(here.double.calls.length <= 2, true)
    })

  it('takes a request that the project squashed as merged', async () => {
    const here = await open({ squashes: true })
    equal((await runTakeover(here.host('Deyja'), here.job('Deyja')))._tag, 'Done')
    deepEqual([here.flips(), here.requestStates()], [1, ['merged']])
  })

  it('fails without a request when the topology has changed (S6), or the apex answers', async () => {
    const here = await open()
    const job = here.job('Deyja')
    const answers = here.host('Deyja', { probeTown: () => Promise.resolve('answers') })
    const asked = await runTakeover(answers, job)
    equal(asked._tag === 'Failed' && asked.failure, 'apex_answers')
    here.commit({ '.svc/fleet.json': fleetTextOf('Bracada', 4) })
    here.commit({ '.svc/fleet.json': fleetTextOf('Erathia', 3) })
    const late = await runTakeover(here.host('Deyja'), job)
    equal(late._tag === 'Failed' && late.failure, 'superseded')
    deepEqual(here.requestStates(), [])
    equal((await runTakeover(answers, here.job('Deyja', { isForced: true })))._tag, 'Done')
  })

  it('pushes nothing while the cooldown runs by the word of the forge, or the forge says nothing (S7)', async () => {
    const here = await open()
    for (const [word, failure] of [
      ['runs', 'takeover_cooldown'],
      ['refused', 'forge_refused'],
      ['unknown', 'timed_out'],
    ] as const) {
      const host = here.host('Deyja', { askCooldown: () => Promise.resolve(word) })
      const end = await runTakeover(host, here.job('Deyja'))
      equal(end._tag === 'Failed' && end.failure, failure)
    }
    deepEqual([here.requestStates(), gitIn(here.bare, 'branch', '--list', 'fleet/takeover/*')], [[], ''])
    const words: Array<CooldownWord> = ['unknown', 'over']
    const host = here.host('Deyja', { askCooldown: () => Promise.resolve(words.shift() ?? 'over') })
    equal((await runTakeover(host, here.job('Deyja')))._tag, 'Done')
  })

  it('is superseded at once where another merge brought the flip, and closes its empty request', async () => {
    const here = await open()
    const job = here.job('Deyja')
    const branch = branchOfJob(job)
    let sleptMs = 0
    const mergeElsewhere = (action: TakeoverAction, atMs: number): Promise<void> => {
      sleptMs = atMs
      if (action._tag === 'CallForge' && action.call._tag === 'OpenRequest')
        gitIn(here.bare, 'update-ref', 'refs/heads/main', branch)
      return Promise.resolve()
    }
    const end = await runTakeover(here.host('Deyja'), job, { before: mergeElsewhere })
    deepEqual([end._tag === 'Failed' && end.failure, here.requestStates()], ['superseded', ['closed']])
    equal(sleptMs < 30_000, true, `${sleptMs} ms`)
  })

  it('closes the request of a failed job, and says so in its description', async () => {
    const here = await open({ blockedBy: 'not_approved' })
    const end = await runTakeover(here.host('Deyja'), here.job('Deyja'))
    equal(end._tag === 'Failed' && end.failure, 'timed_out')
    deepEqual(here.requestStates(), ['closed'])
    match(here.double.requests()[0]?.description ?? '', /^closed-by: kronika Deyja: timed_out: /m)
  })

  it('owes the closing where the forge does not answer to the end', async () => {
    const here = await open({ blockedBy: 'not_approved' })
    here.double.disturb({ on: 'close', do: 500, times: 1_000 })
    const end = await runTakeover(here.host('Deyja'), here.job('Deyja'))
    deepEqual([end._tag === 'Failed' && end.owesClosing, here.requestStates()], [true, ['opened']])
  })

  it('takes a request that a person closed as a veto for this version of the topology alone', async () => {
    const here = await open({ blockedBy: null, checksMs: 100 })
    here.double.disturb({ on: 'open', do: 'veto' })
    const failureOf = async (): Promise<string> => {
      const end = await runTakeover(here.host('Deyja'), here.job('Deyja'))
      return end._tag === 'Failed' ? end.failure : end._tag
    }
    equal(await failureOf(), 'vetoed')
    equal(await failureOf(), 'vetoed')
    here.commit({ '.svc/fleet.json': fleetTextOf('Bracada', 4) })
    here.commit({ '.svc/fleet.json': fleetTextOf('Erathia', 3) })
    equal(await failureOf(), 'Done')
    deepEqual([here.requestStates(), (here.file() as { apex: string }).apex], [['closed', 'merged'], 'Deyja'])
  })

  it('goes there and back (A, B, A), with a request for each version of the topology', async () => {
    const here = await open()
    equal((await runTakeover(here.host('Deyja'), here.job('Deyja')))._tag, 'Done')
    here.commit({ '.svc/fleet.json': fleetTextOf('Erathia', 3) })
    equal((await runTakeover(here.host('Deyja'), here.job('Deyja')))._tag, 'Done')
    deepEqual([(here.file() as { apex: string }).apex, here.requestStates()], ['Deyja', ['merged', 'merged']])
  })

  it('leaves a branch alone that changes other files', async () => {
    const here = await open()
    const job = here.job('Deyja')
    here.commit({ 'Lore.md': '# Other\n' })
    gitIn(here.bare, 'branch', branchOfJob(job), 'main')
    gitIn(here.bare, 'update-ref', 'refs/heads/main', 'main^')
    const end = await runTakeover(here.host('Deyja'), job)
    deepEqual([end._tag === 'Failed' && end.failure, here.requestStates()], ['foreign_claim', []])
  })

  it('reads whether a takeover made the version of the topology', async () => {
    const here = await open()
    const job = here.job('Deyja')
    const host = here.host('Deyja')
    await runTakeover(host, job)
    await host.git.fetch(branchOfJob(job), new AbortController().signal)
    const flip = await host.git.readFlip(here.job('Deyja').fence.commit)
    deepEqual(
      [flip?.isTakeover, flip?.before],
      [true, { commit: job.fence.commit, blob: job.fence.blob, term: 3 }],
    )
    const other = here.host('Bracada')
    await other.git.fetch(branchOfJob(job), new AbortController().signal)
    const flipped = here.job('Deyja').fence.commit
    const walks = async (): Promise<number> =>
      (await gitsOf(() => other.git.readFlip(flipped))).filter(command => command === 'log').length
    deepEqual([await walks(), await walks()], [2, 1], 'the history before the flip is walked once')
    const hand = here.commit({ '.svc/fleet.json': fleetTextOf('Erathia', 5) })
    await host.git.fetch(branchOfJob(job), new AbortController().signal)
    equal((await host.git.readFlip(hand))?.isTakeover, false)
  })

  it('dates the flip by its merge, though the commit has the date of an old tip', async () => {
    const here = await open()
    const old = gitIn(here.bare, 'cat-file', 'commit', 'main').replaceAll(
      / \d{9,} \+0000$/gmu,
      ' 1000000000 +0000',
    )
    const commit = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: here.bare,
      input: `${old}\n`,
      encoding: 'utf8',
    }).trim()
    gitIn(here.bare, 'update-ref', 'refs/heads/main', commit)
    const host = here.host('Deyja')
    const job = here.job('Deyja')
    await runTakeover(host, job)
    await host.git.fetch(branchOfJob(job), new AbortController().signal)
    gitIn(host.repo, 'update-ref', 'refs/svc/fetched', 'refs/svc/takeover/base')
    const flipped = here.job('Deyja').fence.commit
    equal(gitIn(here.bare, 'show', '-s', '--format=%ct', flipped), '1000000000')
    const mergedMs = Number(gitIn(here.bare, 'show', '-s', '--format=%ct', 'main')) * 1_000
    equal((await host.git.readFlip(flipped))?.dateMs, mergedMs)
  })
})

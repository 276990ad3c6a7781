import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { ForgeCall, ForgeOutcome } from '#protocol/host/forge.js'
import type { Job } from '#src/ports/records.js'
import { memoryDisk, modelSources, type StoreText } from '#test/support/models.js'
import { type NodeModels, openModels } from './models.js'

const by = { name: 'Solmyr', gracz: 'Solmyr', kind: 'session' }
const startMs = Date.parse('2026-06-15T12:00:00Z')
const pipeline = (status: string): ForgeOutcome => ({
  _tag: 'Pipeline',
  pipeline: { id: 7, status, url: 'https://forge.example/pipelines/7' },
})

/** What the forge does with a call: answers, or lets the process end before the answer is on disk. */
type Reaction = ForgeOutcome | 'crash'

class Crash extends Error {}

/** A host with a forge that reacts in this order, over files that outlive its process. */
const worldOf = (reactions: ReadonlyArray<Reaction>) => {
  const files: StoreText = new Map()
  const jobs = new Map<string, Job>()
  const calls: Array<ForgeCall['_tag']> = []
  const state = { nowMs: startMs, isFull: false, ids: 0 }
  const left = [...reactions]
  const open = (): NodeModels =>
    openModels(
      modelSources(files, {
        disk: memoryDisk(files, () => state.isFull),
        nowMs: () => state.nowMs,
        newId: () => {
          state.ids += 1
          return `run-${state.ids}`
        },
        forge: call => {
          calls.push(call._tag)
          const reaction = left.shift()
          if (reaction === undefined) throw new Error(`the forge expects no ${call._tag}`)
          if (reaction === 'crash') throw new Crash()
          return Promise.resolve({ outcome: reaction, status: null, dateMs: null })
        },
        jobs: {
          queue: (id, kind, atMs) => void jobs.set(id, { ...queued, id, kind, createdMs: atMs }),
          begin: (id, atMs) => {
            const job = jobs.get(id)
            if (job !== undefined) jobs.set(id, { ...job, state: 'running', startedMs: atMs })
            return job !== undefined
          },
          end: (id, outcome, atMs) => {
            const job = jobs.get(id)
            if (job === undefined || job.endedMs !== null) return false
            const error = outcome._tag === 'Failed' ? outcome.error : null
            jobs.set(id, { ...job, state: error === null ? 'completed' : 'failed', endedMs: atMs, error })
            return true
          },
          unfinished: () => [...jobs.values()].filter(({ endedMs }) => endedMs === null),
        },
      }),
    )
  return { files, jobs, calls, state, open }
}

const queued: Job = {
  id: '',
  kind: 'model.run',
  state: 'queued',
  createdMs: 0,
  startedMs: null,
  endedMs: null,
  result: null,
  error: null,
  detail: null,
}

/** Turns the keeper over and over, each time when it is due, until no run is left or `turns` are over. */
const turnOver = async (models: NodeModels, state: { nowMs: number }, turns = 200): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) {
    state.nowMs += await models.ports.turn(new AbortController().signal)
    if (models.view.store().runs.all.every(run => run.endedAt !== null)) return
  }
}

const begin = async (world: ReturnType<typeof worldOf>): Promise<NodeModels> => {
  const models = world.open()
  await models.ports.turn(new AbortController().signal)
  equal((await models.view.startRun('claims', by, world.state.nowMs))._tag, 'Right')
  return models
}

const endOf = (models: NodeModels, world: ReturnType<typeof worldOf>) => {
  const [run] = models.view.store().runs.all
  return [run?.state, run?.failure, world.jobs.get('run-1')?.state, world.jobs.get('run-1')?.error]
}

const limited: ForgeOutcome = { _tag: 'Limited', waitMs: 90_000 }
const unsent: ForgeOutcome = { _tag: 'NoAnswer', failure: 'not_sent' }
const late: ForgeOutcome = { _tag: 'NoAnswer', failure: 'timeout' }
const faulty: ForgeOutcome = { _tag: 'Faulty', status: 502, waitMs: null }

describe('a training run', () => {
  const ends: ReadonlyArray<readonly [string, ReadonlyArray<Reaction>, ReadonlyArray<unknown>]> = [
    [
      'succeeds with its pipeline',
      [pipeline('created'), pipeline('running'), pipeline('success')],
      ['succeeded', null, 'completed', null],
    ],
    [
      'fails with its pipeline',
      [pipeline('created'), pipeline('failed')],
      ['failed', 'pipeline_failed', 'failed', 'pipeline_failed'],
    ],
    [
      'waits while the forge is busy, and begins once',
      [limited, unsent, limited, pipeline('created'), pipeline('success')],
      ['succeeded', null, 'completed', null],
    ],
    [
      'goes on while the forge does not answer',
      [pipeline('created'), late, faulty, limited, pipeline('success')],
      ['succeeded', null, 'completed', null],
    ],
    [
      'is not begun again where no answer came',
      [late],
      ['failed', 'start_unknown', 'failed', 'start_unknown'],
    ],
    [
      'is not begun again after a fault of the forge',
      [faulty],
      ['failed', 'start_unknown', 'failed', 'start_unknown'],
    ],
    [
      'ends where the token is denied',
      [{ _tag: 'Denied', status: 403 }],
      ['failed', 'forge_denied', 'failed', 'forge_denied'],
    ],
    [
      'ends where the token is denied later',
      [pipeline('created'), { _tag: 'Denied', status: 401 }],
      ['failed', 'forge_denied', 'failed', 'forge_denied'],
    ],
    [
      'ends where the forge refuses it',
      [{ _tag: 'Refused', status: 400 }],
      ['failed', 'start_refused', 'failed', 'start_refused'],
    ],
    [
      'ends where its pipeline is gone',
      [pipeline('created'), { _tag: 'Missing' }],
      ['failed', 'pipeline_gone', 'failed', 'pipeline_gone'],
    ],
  ]
  for (const [what, reactions, end] of ends)
    it(what, async () => {
      const world = worldOf(reactions)
      const models = await begin(world)
      await turnOver(models, world.state)
      deepEqual(endOf(models, world), end)
      equal(world.calls.length, reactions.length)
    })

  it('waits as long as the forge says', async () => {
    const world = worldOf([limited, pipeline('success'), pipeline('success')])
    const models = await begin(world)
    await turnOver(models, world.state, 1)
    const askedMs = world.state.nowMs
    while (world.calls.length < 2) await turnOver(models, world.state, 1)
    ok(world.state.nowMs - askedMs >= 80_000)
  })

  it('is given up where the forge does not take it for an hour', async () => {
    const world = worldOf(Array.from({ length: 200 }, () => unsent))
    const models = await begin(world)
    await turnOver(models, world.state, 2_000)
    deepEqual(endOf(models, world).slice(0, 2), ['failed', 'start_given_up'])
  })

  it('is followed no longer after a day', async () => {
    const world = worldOf([pipeline('created'), ...Array.from({ length: 10 }, () => pipeline('running'))])
    const models = await begin(world)
    await turnOver(models, world.state, 3)
    world.state.nowMs += 25 * 3_600_000
    await turnOver(models, world.state, 3)
    deepEqual(endOf(models, world).slice(0, 2), ['failed', 'timed_out'])
  })

  it('goes on after a restart where it was, and ends once', async () => {
    const world = worldOf([pipeline('created'), pipeline('running'), pipeline('success')])
    await turnOver(await begin(world), world.state, 2)
    const restarted = world.open()
    await turnOver(restarted, world.state)
    await turnOver(world.open(), world.state, 3)
    deepEqual(endOf(restarted, world), ['succeeded', null, 'completed', null])
    deepEqual(world.calls.filter(call => call === 'StartPipeline').length, 1)
    equal((world.files.get('runs.jsonl') ?? '').split('"ended"').length, 2)
  })

  it('is not begun again where the process ended during the call that begins it', async () => {
    const world = worldOf(['crash'])
    await turnOver(await begin(world), world.state, 1)
    const restarted = world.open()
    await turnOver(restarted, world.state)
    deepEqual(endOf(restarted, world), ['failed', 'start_unknown', 'failed', 'start_unknown'])
    equal(world.calls.length, 1)
  })

  it('is begun after a restart where the process ended before the call', async () => {
    const world = worldOf([pipeline('created'), pipeline('success')])
    await begin(world)
    const restarted = world.open()
    await turnOver(restarted, world.state)
    deepEqual(endOf(restarted, world), ['succeeded', null, 'completed', null])
  })

  it('makes no call that the disk would not record', async () => {
    const world = worldOf([pipeline('created'), pipeline('success')])
    const models = await begin(world)
    world.state.isFull = true
    await turnOver(models, world.state, 2)
    equal(world.calls.length, 0)
    world.state.isFull = false
    await turnOver(models, world.state)
    deepEqual(endOf(models, world), ['succeeded', null, 'completed', null])
  })

  it('is one at a time of a surface', async () => {
    const world = worldOf([])
    const models = await begin(world)
    const second = await models.view.startRun('claims', by, startMs)
    ok(isLeft(second) && second.left._tag === 'JobRunning' && second.left.job === 'run-1')
    equal((await models.view.startRun('speaker-vs-narration', by, startMs))._tag, 'Right')
  })

  it('that the disk refuses is none, and its job ends', async () => {
    const world = worldOf([])
    const models = world.open()
    world.state.isFull = true
    const refused = await models.view.startRun('claims', by, startMs)
    ok(isLeft(refused) && refused.left._tag === 'DiskRefused')
    deepEqual([world.jobs.get('run-1')?.error, world.files.size], ['DiskRefused', 0])
  })

  it('leaves no job running whose run was not recorded', async () => {
    const world = worldOf([])
    world.jobs.set('run-0', { ...queued, id: 'run-0', state: 'running', startedMs: startMs })
    world.jobs.set('other', { ...queued, id: 'other', kind: 'import' })
    await world.open().ports.turn(new AbortController().signal)
    deepEqual([world.jobs.get('run-0')?.error, world.jobs.get('other')?.endedMs], ['interrupted', null])
  })

  const notSteps = ['x', '{}', '{"v":1,"id":"run-9","at":"2026-06-15T12:00:00Z","step":"started"}']
  for (const line of notSteps)
    it(`does not begin for the line ${line.slice(0, 60)}`, async () => {
      const world = worldOf([])
      world.files.set('runs.jsonl', `${line}\n`)
      const models = world.open()
      await models.ports.turn(new AbortController().signal)
      const { all, unreadable } = models.view.store().runs
      deepEqual([all.length, unreadable, world.calls], [0, 1, []])
    })
})

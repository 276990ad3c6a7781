import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import { testCommand } from '#test/support/commands.js'
import { type RunnerWorld, runnerWorld, type TestWork } from '#test/support/job-runner.js'
import { progressMs, queueMax } from './job-runner.js'

/** Work that runs until the test ends it. */
const makeHeldWork = () => {
  let ended: (outcome: Awaited<ReturnType<TestWork>>) => void = () => undefined
  let signalled: AbortSignal | null = null
  let tell: Parameters<TestWork>[0] = () => undefined
  const run: TestWork = (progress, signal) => {
    signalled = signal
    tell = progress
    return new Promise(resolve => {
      ended = resolve
    })
  }
  return {
    run,
    end: (outcome: Awaited<ReturnType<TestWork>>) => ended(outcome),
    began: () => signalled !== null,
    aborted: () => signalled?.aborted,
    progress: (done: number, total: number) => tell({ done, total, detail: 'files' }),
  }
}

describe('the job runner', () => {
  let world: RunnerWorld
  beforeEach(async () => {
    world = await runnerWorld()
  })
  afterEach(() => world.dispose())

  it('answers when the job is on disk, and records how it ended', async () => {
    const work = makeHeldWork()
    const envelope = await world.started(work.run)
    equal(envelope.status, 'running')
    equal(envelope.statusUrl, `/v1/api/jobs/${envelope.jobId}`)
    equal(world.store.find(envelope.jobId)?.state, 'running')
    work.end(right({ Applied: true }))
    await world.settle()
    const job = world.store.find(envelope.jobId)
    deepEqual([job?.state, job?.result, job?.error], ['completed', { Applied: true }, null])
    deepEqual(
      world.events.map(([kind]) => kind),
      ['job:started', 'job:ended'],
    )
  })

  it('performs the tasks that it was asked for, in their order', async () => {
    for (const result of [1, 2]) await world.started(() => Promise.resolve(right(result)))
    await world.settle()
    deepEqual(
      world.tasks,
      [0, 1].map(body => ({ _tag: 'Write', command: testCommand({ body }) })),
    )
  })

  it('names the refusal that ended a job, and hides what a throw said', async () => {
    const refused = await world.started(() => Promise.resolve(left(refuse('NoRepository', 'Make one.'))))
    const thrown = await world.started(() => Promise.reject(new Error('/home/somebody/secret')))
    await world.settle()
    const one = world.store.find(refused.jobId)
    deepEqual([one?.state, one?.error, one?.detail], ['failed', 'NoRepository', 'Make one.'])
    const two = world.store.find(thrown.jobId)
    deepEqual([two?.state, two?.error], ['failed', 'Internal'])
    ok(!JSON.stringify(two).includes('secret'))
    deepEqual(world.faults, ['job_faulted'])
  })

  it('runs one at a time in the order of asking, and refuses what would wait too long', async () => {
    const works = Array.from({ length: queueMax + 1 }, makeHeldWork)
    for (const work of works) await world.started(work.run)
    deepEqual(works.map(work => work.began()).filter(Boolean).length, 1)
    match(await world.refusal(makeHeldWork().run), /32 jobs are waiting, the most that this host queues/)
    works[0]?.end(right(null))
    await world.settle()
    deepEqual([works[0]?.began(), works[1]?.began(), works[2]?.began()], [true, true, false])
  })

  it('runs a rebuild of the search indexes beside the writes, and ends it at once when it drains', async () => {
    const [write, next, rebuild] = [makeHeldWork(), makeHeldWork(), makeHeldWork()]
    await world.started(write.run)
    await world.started(next.run)
    const { jobId } = await world.started(rebuild.run, 'search.index.rebuild')
    deepEqual([write.began(), next.began(), rebuild.began()], [true, false, true])
    write.end(right(null))
    await world.settle()
    equal(next.began(), true)
    const drained = world.drain()
    next.end(right(null))
    deepEqual(await drained, [])
    equal(world.store.find(jobId)?.error, 'interrupted')
  })

  it('runs one mass fetch at a time, beside the writes, names it to a second, and ends it when it drains', async () => {
    const [write, fetch] = [makeHeldWork(), makeHeldWork()]
    await world.started(write.run)
    const { jobId } = await world.started(fetch.run, 'logs.fetch')
    deepEqual([write.began(), fetch.began()], [true, true])
    match(await world.refusal(makeHeldWork().run, 'logs.fetch'), new RegExp(jobId))
    const drained = world.drain()
    write.end(right(null))
    deepEqual(await drained, [])
    equal(world.store.find(jobId)?.error, 'interrupted')
  })

  it('leaves to its follower what is done elsewhere', async () => {
    world.store.queue('run-1', 'model.run', 1)
    world.store.begin('run-1', 1)
    await world.crash()
    deepEqual([world.store.find('run-1')?.state, world.interrupted()], ['running', 0])
  })

  it('ends what a runner before it left, before it takes anything new (S26)', async () => {
    const work = makeHeldWork()
    const first = await world.started(work.run)
    const second = await world.started(makeHeldWork().run)
    await world.crash()
    for (const { jobId } of [first, second]) {
      const job = world.store.find(jobId)
      deepEqual([job?.state, job?.error], ['failed', 'interrupted'])
    }
    equal(world.interrupted(), 2)
    equal(work.aborted(), true)
    work.end(right({ late: true }))
    await world.settle()
    equal(world.store.find(first.jobId)?.result, null)
    const third = await world.started(() => Promise.resolve(right(1)))
    await world.settle()
    equal(world.store.find(third.jobId)?.state, 'completed')
  })

  it('refuses while the disk refuses, and records an end when the disk takes it again', async () => {
    const work = makeHeldWork()
    const { jobId } = await world.started(work.run)
    world.disk.refuses = true
    match(await world.refusal(makeHeldWork().run), /could not be recorded/)
    work.end(right('kept'))
    await world.settle()
    equal(world.store.find(jobId)?.state, 'running')
    world.disk.refuses = false
    await world.advance(1_500)
    deepEqual([world.store.find(jobId)?.state, world.store.find(jobId)?.result], ['completed', 'kept'])
  })

  it('drains: what runs ends, what waits is interrupted, what comes is refused', async () => {
    const work = makeHeldWork()
    const running = await world.started(work.run)
    const waiting = await world.started(makeHeldWork().run)
    const drained = world.drain()
    await new Promise(resolve => setImmediate(resolve))
    equal(world.store.find(waiting.jobId)?.error, 'interrupted')
    equal(world.store.find(running.jobId)?.state, 'running')
    work.end(right(null))
    await world.settle()
    deepEqual(await drained, [])
    equal(world.store.find(running.jobId)?.state, 'completed')
  })

  it('tells progress seldom, and the last of it always', async () => {
    const work = makeHeldWork()
    await world.started(work.run)
    for (let done = 0; done < 50; done += 1) work.progress(done, 100)
    await world.advance(progressMs)
    work.progress(60, 100)
    work.progress(100, 100)
    work.progress(100, 100)
    deepEqual(
      world.events.flatMap(([kind, payload]) =>
        kind === 'job:progress' && 'done' in payload ? [payload.done] : [],
      ),
      [0, 60, 100],
    )
  })
})

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { EventPage } from '#protocol/host/events.js'
import { openRuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import { type Daemon, eventually, getJson, postJson, startDaemon } from '#test/support/daemon.js'
import { legacyWorld } from '#test/support/legacy/legacy-world.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const Envelope = t.type({ jobId: t.string, statusUrl: t.string, status: t.literal('running') })
const Record = t.type({
  id: t.string,
  status: t.string,
  result: t.unknown,
  error: t.union([t.string, t.null]),
})

describe('jobs of a daemon', () => {
  let repository: Repository
  let daemon: Daemon
  const start = async (): Promise<void> => {
    daemon = await startDaemon(['serve', '--repo', repository.path])
  }
  const jobOf = async (id: string): Promise<t.TypeOf<typeof Record>> => {
    const { status, body } = await getJson(daemon, `/jobs/${id}`)
    equal(status, 200)
    const decoded = Record.decode(body)
    if (isLeft(decoded)) throw new Error(`no job record: ${JSON.stringify(body)}`)
    return decoded.right
  }
  /** The kinds of the events of a job, as the journal has them: without a hole in its numbers. */
  const toldOf = async (id: string): Promise<ReadonlyArray<string>> => {
    const { body } = await getJson(daemon, '/events/journal?since=0&limit=1000')
    const page = EventPage.decode(body)
    if (isLeft(page)) throw new Error(`no page: ${JSON.stringify(body)}`)
    const { items } = page.right
    deepEqual(
      items.map(({ seq }) => seq),
      items.map((_, at) => at + 1),
    )
    return items.filter(({ payload }) => payload['jobId'] === id).map(({ kind }) => kind)
  }
  const imported = async (): Promise<string> => {
    const { status, body } = await postJson(daemon, '/import?async=true', {})
    equal(status, 202)
    const decoded = Envelope.decode(body)
    if (isLeft(decoded)) throw new Error(`no envelope: ${JSON.stringify(body)}`)
    equal(decoded.right.statusUrl, `/v1/api/jobs/${decoded.right.jobId}`)
    return decoded.right.jobId
  }
  beforeEach(() => {
    repository = repositoryOf(legacyWorld)
  })
  afterEach(async () => {
    await daemon.stop()
    repository.dispose()
  })

  it('adopt beside the request, and keep their answer over a restart', async () => {
    await start()
    const id = await imported()
    const ended = await eventually(
      () => jobOf(id),
      job => job.status !== 'running',
    )
    equal(ended.status, 'completed', ended.error ?? '')
    match(JSON.stringify(ended.result), /"Applied":true/)
    equal(repository.git('rev-list', '--count', 'HEAD'), '2')
    const metrics = await (await fetch(`${daemon.ready.ops}/metrics`)).text()
    match(metrics, /svc_jobs\{kind="import",status="completed"\} 1/)
    match(metrics, /svc_job_duration_seconds_count\{kind="import",result="completed"\} 1/)
    deepEqual(
      (await toldOf(id)).filter(kind => kind !== 'job:progress'),
      ['job:started', 'job:ended'],
    )
    ok((await toldOf(id)).includes('job:progress'))
    await daemon.stop()
    await start()
    match(JSON.stringify(await getJson(daemon, `/jobs/${id}/result`)), /"Applied":true/)
  })

  it('that another boot left are settled before the front answers', async () => {
    const state = join(repository.path, '.svc/state')
    mkdirSync(state, { recursive: true })
    const opened = openRuntimeDb(state)
    if (isLeft(opened)) throw new Error(opened.left.reason)
    opened.right.jobs.queue('left-queued', 'import', 1)
    opened.right.jobs.queue('left-running', 'import', 2)
    opened.right.jobs.begin('left-running', 3)
    opened.right.close()
    await start()
    for (const id of ['left-queued', 'left-running']) {
      const job = await jobOf(id)
      equal(job.status, 'failed')
      equal(job.error, 'interrupted')
    }
  })
})

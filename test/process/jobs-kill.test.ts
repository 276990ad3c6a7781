import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { EventPage } from '#protocol/host/events.js'
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

describe('jobs of a daemon that is killed', () => {
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

  it('are final after kill -9 in their middle: ended, or failed as interrupted, never running (S26)', async () => {
    const errors: Array<string | null> = []
    // Where the daemon is faster than its killer, a kill comes after the job: some more are tried.
    const delays = [0, 15, 60, ...Array.from({ length: 20 }, () => 0)]
    for (const [at, delayMs] of delays.entries()) {
      if (at > 2 && errors.includes('interrupted')) break
      await start()
      const id = await imported()
      await new Promise(resolve => setTimeout(resolve, delayMs))
      await daemon.stop('SIGKILL')
      await start()
      const job = await jobOf(id)
      notEqual(job.status, 'running')
      errors.push(job.error)
      if (job.status === 'failed') equal(job.error, 'interrupted')
      // The gate recovers beside the ready line: a write waits for it, a look at the checkout does not.
      await eventually(
        () => Promise.resolve(repository.git('status', '--porcelain')),
        status => status === '',
      )
      equal((await toldOf(id)).at(-1), 'job:ended')
      await daemon.stop()
    }
    ok(errors.includes('interrupted'), 'no kill met a job')
    await start()
    const again = await imported()
    const ended = await eventually(
      () => jobOf(again),
      job => job.status !== 'running',
    )
    equal(ended.status, 'completed', ended.error ?? '')
    equal(repository.git('rev-list', '--count', 'HEAD'), '2')
  })
})

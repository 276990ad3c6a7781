import { deepEqual, equal, match } from 'node:assert/strict'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { afterEach, describe, it } from 'mocha'
import { adminRoutes } from '#protocol/host/admin.js'
import { JobEnvelope } from '#protocol/host/jobs.js'
import { Flag } from '#protocol/query.js'
import { refuse } from '#protocol/refusal.js'
import { route, type Table } from '#protocol/route.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Jobs } from '#src/ports/records.js'
import type { Planners } from '#src/writing/command.js'
import { contractWorld } from '#test/support/contract-world.js'
import {
  callerWith,
  nodeView,
  type TestFront,
  type TestFrontOptions,
  testFront,
} from '#test/support/front.js'
import { endedJob, jobsInMemory } from '#test/support/jobs.js'

const Written = t.type({ name: t.string })

/** A row that passes the gate, inline or as a job. */
const specimens = {
  specimen: route({
    method: 'POST',
    path: '/specimens',
    summary: 'Writes nothing.',
    capability: 'location.override',
    own: false,
    write: true,
    replica: false,
    pool: false,
    poolReason: 'mutates',
    etag: false,
    early: false,
    query: { async: Flag },
    body: t.type({}),
    answers: { 200: t.union([Written, t.type({ dry: t.boolean, diff: t.string })]), 202: JobEnvelope },
    refusals: [],
    source: 'D33',
  }),
} as const satisfies Table

const handlers: Handlers<typeof specimens> = {
  specimen: ({ query }) =>
    right({
      prepared: null,
      ...(query.async === true ? { job: 'locations.reindex' as const } : {}),
    }),
}

const planners: Planners<typeof specimens> = {
  specimen: () =>
    right({
      edits: [],
      claims: [],
      touches: [],
      subject: 'test: nothing',
      answer: { name: 'Wit Kłos' },
      preview: { dry: true },
    }),
}

const full: Jobs = {
  find: () => null,
  newId: () => 'none',
  keep: () => undefined,
  start: () => Promise.resolve(left(refuse('Overloaded', 'Too many jobs wait.'))),
  startSingle: () => Promise.resolve(left(refuse('Overloaded', 'Too many jobs wait.'))),
}

describe('jobs over HTTP', () => {
  let front: TestFront | null = null
  const post = async (path: string, options: TestFrontOptions) => {
    front = await testFront({ snapshot: contractWorld(), ...options })
    return front.client.ask(path, { method: 'POST', body: '{}' })
  }
  const jobOf = async (text: string): Promise<string> => {
    const envelope = JobEnvelope.decode(JSON.parse(text))
    if (isLeft(envelope)) throw new Error(`no envelope: ${text}`)
    return (await front?.client.ask(`/jobs/${envelope.right.jobId}`))?.text ?? ''
  }
  afterEach(async () => {
    await front?.close()
    front = null
  })
  const refused: TestFrontOptions = {
    node: nodeView({
      jobs: jobsInMemory(),
      adopt: () => Promise.resolve(left(refuse('NoRepository', 'Make one.'))),
    }),
  }

  it('answer an adoption with 202 and its end under its id', async () => {
    const reply = await post('/import?async=true', refused)
    equal(reply.status, 202)
    match(reply.text, /"statusUrl":"\/v1\/api\/jobs\/job-1","status":"running"/)
    match(
      await jobOf(reply.text),
      /"status":"failed","result":null,"error":"NoRepository","detail":"Make one\."/,
    )
  })

  it('never make a job of a dry run', async () => {
    equal((await post('/import?async=true&dryRun=true', refused)).status, 409)
    await front?.close()
    const dry = await post('/specimens?async=true&dryRun=true', { table: specimens, handlers, planners })
    equal(dry.status, 200)
    match(dry.text, /"dry":true/)
  })

  it('carry a plan through the gate as its route would, and keep the answer', async () => {
    const jobs = jobsInMemory()
    const node = nodeView({ jobs })
    const inline = await post('/specimens', { table: specimens, handlers, planners, node })
    equal(inline.text, '{"name":"Wit Kłos"}')
    await front?.close()
    const later = await post('/specimens?async=true', { table: specimens, handlers, planners, node })
    equal(later.status, 202)
    const job = jobs.find('job-1')
    equal(job?.kind, 'locations.reindex')
    equal(JSON.stringify(job.result), inline.text)
  })

  it('are refused where too many wait', async () => {
    const node = nodeView({ jobs: full })
    for (const options of [{ node }, { node, table: specimens, handlers, planners }]) {
      const path = 'table' in options ? '/specimens' : '/import'
      const reply = await post(`${path}?async=true`, options)
      equal(reply.status, 503)
      match(reply.text, /Overloaded/)
      await front?.close()
      front = null
    }
  })

  it('are shown to who may start one of their kind, and are unknown to anybody else', async () => {
    const [{ capability }, kind] = [adminRoutes['import.run'], endedJob.kind]
    equal(kind, 'import')
    const callers = {
      player: callerWith(['entity.read', 'session.report', 'player.write.own'], 'Żaneta'),
      starter: callerWith(['entity.read', capability], 'Brzoza'),
    }
    front = await testFront({ snapshot: contractWorld(), callers })
    for (const rest of ['', '/result']) {
      const ask = (id: string, token: string) => front?.client.ask(`/jobs/${id}${rest}`, { token })
      const unknown = await ask('no-such-job', 'player')
      const hidden = await ask(endedJob.id, 'player')
      deepEqual([hidden?.status, hidden?.text], [404, unknown?.text])
      equal((await ask(endedJob.id, 'starter'))?.status, 200)
    }
  })
})

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { ofHost, route, write } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { handlers } from '#src/http/handlers/all.js'
import type { RequestRecord } from '#src/http/records/meter.js'
import { servedCommit } from '#test/support/contract-world.js'
import { nowMs, quietMeter, type TestFront, testFront, testMachineToken } from '#test/support/front.js'
import { askTarget, rawAsk } from '#test/support/http-client.js'
import { makeLatch } from '#test/support/latch.js'
import { type Listener, listen, listenerLimits, openAnswerWatch, patience } from './server.js'
import { parserAnswer } from './write.js'

const base = {
  ...ofHost,
  method: 'GET',
  early: true,
  capability: null,
  query: {},
  body: null,
  refusals: [],
  source: '',
  summary: '',
  answers: { 200: t.UnknownRecord },
} as const

const table = {
  stuck: route({ ...base, path: '/stuck' }),
  patient: route({ ...base, path: '/patient', answerWithinMs: 150_000 }),
  quick: route({ ...base, path: '/quick' }),
  whole: route({ ...base, path: '/whole', wholeCorpus: true }),
  change: write({
    ...base,
    method: 'POST',
    capability: 'entity.write',
    path: '/change',
  }),
  begins: route({ ...base, method: 'POST', capability: 'entity.write', path: '/begins' }),
  works: route({ ...base, path: '/works' }),
  'events.stream': routes['events.stream'],
}
const longText = 'słowo '.repeat(1_000_000)

/** Waits, however long it takes, until a condition holds; the test's own time ends a wait for nothing. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 1))
}

describe('a request that the host does not answer in time', () => {
  let front: TestFront
  let atMs: number
  let began: number
  let isThere: () => boolean
  let look: Promise<void> | null
  let answer: () => void
  let records: Array<RequestRecord>
  let ended: Array<number>
  let rejected: number

  beforeEach(async () => {
    const latch = makeLatch()
    atMs = 0
    began = 0
    isThere = () => true
    look = null
    answer = latch.open
    records = []
    ended = []
    rejected = 0
    const wait = async () => {
      began += 1
      await latch.opened
      return right({ body: { done: true } })
    }
    front = await testFront({
      table,
      handlers: {
        stuck: wait,
        patient: wait,
        quick: () => right({ body: { quick: true } }),
        whole: () => right({ body: { text: longText } }),
        change: () => right({ prepared: null }),
        begins: wait,
        works: async ({ run }) => {
          const forever = function* (): Sliced<never> {
            for (began += 1; ; ) yield
          }
          return run(forever())
        },
        'events.stream': handlers['events.stream'],
      },
      clock: { nowMs: () => nowMs, monotonicMs: () => atMs },
      freshen: () => look ?? Promise.resolve(),
      patience: { ...patience, sweepEveryMs: 1 },
      recordRequest: record => records.push(record),
      meter: {
        ...quietMeter,
        ended: (_method, _route, code) => ended.push(code),
        rejected: () => {
          rejected += 1
        },
      },
      metricsText: async () => {
        await wait()
        return ''
      },
      write: async (_command, _plan, isCallerThere) => {
        began += 1
        isThere = isCallerThere ?? isThere
        await latch.opened
        return right({ body: {}, commit: servedCommit, status: null })
      },
    })
  })
  afterEach(async () => {
    answer()
    await front.close()
  })

  const isDropped = () => front.log.some(({ event }) => event === 'http.answer_dropped')

  it('is refused once, and its answer is dropped when it comes', async () => {
    const asked = front.client.ask('/stuck')
    await until(() => began === 1)
    atMs = patience.withinMs
    const reply = await asked
    deepEqual([reply.status, reply.headers['retry-after']], [503, '1'])
    equal(Reflect.get(Object(reply.json), 'error'), 'AnswerLate')
    match(reply.text, /no answer within 110 s/)
    await until(() => records.length === 1)
    deepEqual(
      records.map(({ status, late, route, ms }) => [status, late, route, ms]),
      [[503, true, '/stuck', 110_000]],
    )
    answer()
    await until(isDropped)
    deepEqual([ended, rejected, records.length], [[503], 0, 1])
    deepEqual(
      front.log.map(({ event }) => event),
      ['http.unavailable', 'http.answer_dropped'],
    )
    const next = await front.client.ask('/quick')
    equal(next.status, 200)
    await until(() => records.length === 2)
    ok(!('late' in (records[1] ?? {})))
  })

  it('has the time of its row', async () => {
    const patient = front.client.ask('/patient')
    const stuck = front.client.ask('/stuck')
    await until(() => began === 2)
    atMs = 149_999
    equal((await stuck).status, 503)
    answer()
    equal((await patient).status, 200)
  })

  it('of a write tells the gate that its client has left, and the log names the commit that came late', async () => {
    const asked = front.client.ask('/change', { method: 'POST' })
    await until(() => began === 1)
    equal(isThere(), true)
    atMs = patience.withinMs
    const reply = await asked
    deepEqual([reply.status, isThere()], [503, false])
    match(reply.text, /may still carry out/)
    answer()
    await until(isDropped)
    const dropped = front.log.find(({ event }) => event === 'http.answer_dropped')
    equal(Reflect.get(Object(dropped), 'commit'), servedCommit)
  })

  it('is never begun where it was refused before its turn came', async () => {
    const looked = makeLatch()
    look = looked.opened
    const asked = [
      front.client.ask('/begins', { method: 'POST' }),
      front.client.ask('/change', { method: 'POST' }),
    ]
    while (records.length < 2) {
      atMs += patience.withinMs
      await new Promise(resolve => setTimeout(resolve, 1))
    }
    for (const reply of await Promise.all(asked)) equal(reply.status, 503)
    looked.open()
    await until(() => front.log.filter(({ event }) => event === 'http.answer_dropped').length === 2)
    equal(began, 0)
  })

  it('works no further, where it is a read', async () => {
    const asked = front.client.ask('/works')
    await until(() => began === 1)
    atMs = patience.withinMs
    equal((await asked).status, 503)
    await until(isDropped)
  })

  it('keeps the order of a pipelined connection, which stays open', async () => {
    const ask = (path: string, more = '') =>
      `GET /v1/api${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${testMachineToken}\r\n${more}\r\n`
    const asked = rawAsk(
      front.front.apiPort,
      ask('/stuck') + ask('/quick') + ask('/quick', 'Connection: close\r\n'),
    )
    await until(() => began === 1)
    atMs = patience.withinMs
    const reply = await asked
    deepEqual(reply.statuses, [503, 200, 200])
    deepEqual(reply.json, { quick: true })
  })

  it('gets a refusal without a body where it is a HEAD', async () => {
    const asked = askTarget(front.front.opsPort, '/metrics', { method: 'HEAD' })
    await until(() => began === 1)
    atMs = patience.withinMs
    const reply = await asked
    deepEqual([reply.status, reply.headers['retry-after'], reply.bytes.length], [503, '1', 0])
    ok(Number(reply.headers['content-length']) > 0)
  })

  it('is never one whose answer has begun: a long download, a stream', async () => {
    const socket = connect(front.front.apiPort, '127.0.0.1')
    const stream = connect(front.front.apiPort, '127.0.0.1')
    const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${testMachineToken}\r\nConnection: close\r\n\r\n`
    socket.write(`GET /v1/api/whole HTTP/1.1\r\n${head}`)
    stream.write(`GET /v1/api/events HTTP/1.1\r\n${head}`)
    await Promise.all([once(socket, 'readable'), once(stream, 'readable')])
    atMs = patience.withinMs + 1
    const stuck = front.client.ask('/stuck')
    await until(() => began === 1)
    atMs += patience.withinMs
    equal((await stuck).status, 503)
    let bytes = 0
    for await (const chunk of socket) bytes += Buffer.from(chunk).length
    ok(bytes > Buffer.byteLength(longText))
    equal(stream.destroyed || stream.readableEnded, false)
    stream.destroy()
  })
})

describe('the watch over requests without an answer', () => {
  let listener: Listener
  afterEach(() => listener.close(0))

  it('keeps the connection of a row that may take longer than a connection is idle', async () => {
    const idleSocketMs = 60
    const watch = openAnswerWatch(() => 0, 5)
    listener = await listen({
      host: '127.0.0.1',
      port: 0,
      handle: (req, res) => {
        watch.add({ req, res, sinceMs: 0, withinMs: () => 1, giveUp: () => res.destroy(), place: null })
        setTimeout(() => res.end('"late"'), 5 * idleSocketMs)
      },
      parserAnswer,
      limits: { ...listenerLimits, idleSocketMs },
    })
    const reply = await rawAsk(listener.port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    watch.close()
    deepEqual([reply.statuses, reply.json], [[200], 'late'])
  })

  it('answers before the connection of an ordinary row is idle', () =>
    ok(patience.withinMs + 2 * patience.sweepEveryMs <= listenerLimits.idleSocketMs))
})

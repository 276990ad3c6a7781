import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, it } from 'mocha'
import { loopWork, noteConnection } from '#src/kernel/work-scheduler.js'
import { rawAsk } from '#test/support/http-client.js'
import { applyLimits, type Listener, listen, listenerLimits } from './server.js'
import { parserAnswer } from './write.js'

const quick = { ...listenerLimits, headersTimeoutMs: 100, requestTimeoutMs: 200, connectionsCheckingMs: 20 }
const patienceMs = 5000

describe('a listener with slow clients', () => {
  let listener: Listener
  before(async () => {
    listener = await listen({
      host: '127.0.0.1',
      port: 0,
      // Like a route with a body, waits for all of it before it answers.
      handle: async (req, res) => {
        await once(req.resume(), 'end')
        res.end('"read"')
      },
      parserAnswer,
      limits: quick,
    })
  })
  after(() => listener.close(0))

  const timesOut = async (bytes: string): Promise<void> => {
    const reply = await rawAsk(listener.port, bytes, patienceMs)
    deepEqual(reply.statuses, [408])
    deepEqual(reply.json, { error: 'RequestTimeout', detail: 'The request did not arrive in time.' })
  }

  it('ends one whose headers do not come', () => timesOut('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A'))

  it('ends one whose body does not come', () =>
    timesOut('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n12345'))

  it('serves one that is in time', async () => {
    const request =
      'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nConnection: close\r\n\r\n12345'
    const reply = await rawAsk(listener.port, request, patienceMs)
    deepEqual(reply.statuses, [200])
    equal(reply.json, 'read')
  })
})

const setup = {
  host: '127.0.0.1',
  port: 0,
  handle: () => Promise.resolve(),
  parserAnswer: () => '',
} as const

describe('a listener', () => {
  it('has the limits for slow clients', () => {
    const server = createServer()
    server.on('upgrade', () => undefined)
    applyLimits(server, setup)
    deepEqual(
      [server.headersTimeout, server.requestTimeout, server.maxRequestsPerSocket, server.timeout],
      [10_000, 30_000, 1000, 120_000],
    )
    equal(Reflect.get(server, 'connectionsCheckingInterval'), 5000)
    equal(server.listenerCount('upgrade'), 0)
  })

  it('ends only the connection of a request whose handling rejects', async () => {
    const listener = await listen({ ...setup, handle: () => Promise.reject(new Error('a bug')) })
    deepEqual((await rawAsk(listener.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).statuses, [])
    deepEqual((await rawAsk(listener.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).statuses, [])
    await listener.close(0)
  })

  it('rejects when its port is taken', async () => {
    const first = await listen(setup)
    await rejects(listen({ ...setup, port: first.port }))
    await first.close(0)
  })

  it('cuts what is still open when the time to drain is over', async () => {
    const listener = await listen({ ...setup, handle: () => new Promise<void>(() => undefined) })
    const open = rawAsk(listener.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 5000)
    await new Promise(resolve => setImmediate(resolve))
    await listener.close(20)
    deepEqual((await open).statuses, [])
  })
})

describe('a burst of connections beside long work', () => {
  it('is accepted within few turns of the work', async () => {
    const count = 200
    let [accepted, steps, isOver] = [0, 0, false]
    const listener = await listen({
      ...setup,
      accepted: () => {
        accepted += 1
        isOver = accepted === count
        noteConnection()
      },
    })
    const work = function* (): Iterator<undefined, void, undefined> {
      for (; !isOver; steps += 1) {
        const untilMs = performance.now() + 1
        while (performance.now() < untilMs);
        yield
      }
    }
    const worked = loopWork.run('work', work())
    const sockets = Array.from({ length: count }, () => connect(listener.port, '127.0.0.1'))
    await worked
    for (const socket of sockets) socket.destroy()
    await listener.close(0)
    // Ten steps fill a turn, so that one connection a turn takes ten times as many steps as there are connections.
    ok(steps < 5 * count, `${steps} steps of work until ${count} connections were accepted`)
  })
})

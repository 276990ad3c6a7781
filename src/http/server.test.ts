import { deepEqual, equal, rejects } from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, it } from 'mocha'
import { rawAsk } from '#test/support/http-client.js'
import { limit, listen } from './server.js'

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
    limit(server, setup)
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

import { equal, match } from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { rawAsk } from '#test/support/http-client.js'
import { head, isRawRefused, isRefused, type SecurityRow, securityTable } from './row.js'

const post = 'POST /v1/api/notes HTTP/1.1'
const get = 'GET /v1/api/entities HTTP/1.1'
const json = 'Content-Type: application/json'

const connectSocket = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

const sockets: ReadonlyArray<SecurityRow> = [
  {
    id: '4.7.42',
    input: '300 idle sockets and 100 half heads',
    answer: 'others are served; nothing is left behind',
    see: async ({ front, client }) => {
      const open = await Promise.all(Array.from({ length: 400 }, () => connectSocket(front.apiPort)))
      for (const socket of open.slice(0, 100)) socket.write('GET /v1/api/entities HTTP/1.1\r\nHost: loc')
      equal((await client.ask('/entities')).status, 200)
      for (const socket of open) socket.destroy()
    },
  },
  {
    id: '4.7.43',
    input: 'a reset in the middle of a body',
    answer: 'the handler never runs; others are served',
    see: async ({ front, client }) => {
      const socket = await connectSocket(front.apiPort)
      socket.write(`${head(post, json, 'Content-Length: 1000')}{"te`)
      equal((await client.ask('/entities')).status, 200)
      socket.resetAndDestroy()
      equal((await client.ask('/entities')).status, 200)
    },
  },
  {
    id: '4.7.44',
    input: 'a reset before the answer is read',
    answer: 'others are served',
    see: async ({ front, client }) => {
      const socket = await connectSocket(front.apiPort)
      socket.write(head(get).repeat(20))
      socket.resetAndDestroy()
      equal((await client.ask('/entities')).status, 200)
    },
  },
  {
    id: '4.7.45',
    input: 'a client that ends its side after the request',
    answer: '200',
    see: async ({ front }) => {
      const socket = await connectSocket(front.apiPort)
      socket.end(head(get, 'Connection: close'))
      const chunks: ReadonlyArray<unknown> = await once(socket, 'data')
      match(String(chunks[0]), /^HTTP\/1\.1 200 /)
    },
  },
  {
    id: '4.7.46',
    input: 'a body that ends early',
    answer: '400 or the connection closed; others are served',
    see: async ({ front }) => {
      const socket = await connectSocket(front.apiPort)
      socket.end(`${head(post, json, 'Content-Length: 1000')}{"te`)
      socket.resume()
      await once(socket, 'close')
    },
  },
  {
    id: '4.7.47',
    input: 'an address of this machine that is not loopback',
    answer: 'refused by the system',
    see: async ({ front }) => {
      const outside = Object.values(networkInterfaces())
        .flatMap(one => one ?? [])
        .filter(one => !one.internal && one.family === 'IPv4')
      for (const { address } of outside) {
        const socket = connect(front.apiPort, address)
        const errors: ReadonlyArray<unknown> = await once(socket, 'error')
        equal(errors[0] instanceof Error && Reflect.get(errors[0], 'code') === 'ECONNREFUSED', true)
      }
    },
  },
  {
    id: '4.7.48',
    input: 'a handler that throws',
    answer: '500 Internal without the reason',
    see: async ({ client, log }) => {
      const reply = await client.ask('/boom')
      isRefused(reply, 500, 'Internal')
      equal(reply.text.includes('secret'), false)
      const fault = log.find(one => one.event === 'http.fault')
      equal(fault?.event === 'http.fault' && fault.requestId === reply.headers['x-request-id'], true)
    },
  },
  {
    id: '4.7.49',
    input: 'the same bad request on the operations listener',
    answer: '400 RequestMalformed',
    see: async ({ front }) =>
      isRawRefused(await rawAsk(front.opsPort, 'GET /metrics\r\n\r\n'), 400, 'RequestMalformed'),
  },
]

securityTable('4.7 HTTP layer: sockets and faults', sockets, [
  {
    id: '4.7.50',
    input: 'slow head, slow body and slow reading over minutes, 10,000 idle sockets',
    reason:
      'no timed tests; the limits are tested in src/http/listener/server.test.ts, the load in the bench',
  },
])

import { deepEqual, equal } from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'mocha'
import { quietMeter, testFront, testMachineToken } from '#test/support/front.js'
import { askTarget } from '#test/support/http-client.js'

const requestsPerSocketMax = 1000

const head = (path: string, accept = '*/*'): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: ${accept}\r\n\r\n`

const countClosing = (text: string): number => [...text.matchAll(/\r\nconnection: close\r\n/gi)].length

const statusIn = (answer: string): string => answer.slice(0, 3)

/** Sends as many requests as a connection may have and, after the last answer, one more. */
const askBeyond = async (port: number, request: string): Promise<ReadonlyArray<string>> => {
  const socket = connect(port, '127.0.0.1')
  const chunks: Array<Buffer> = []
  const answers = (): ReadonlyArray<string> =>
    Buffer.concat(chunks).toString('utf8').split('HTTP/1.1 ').slice(1)
  let isBeyond = false
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (isBeyond || !chunk.includes('HTTP/1.1 ') || answers().length < requestsPerSocketMax) return
    isBeyond = true
    socket.write(request)
  })
  // The host has closed the connection when the last request comes.
  socket.on('error', () => undefined)
  socket.write(request.repeat(requestsPerSocketMax))
  await new Promise(resolve => socket.once('close', resolve))
  return answers()
}

describe('the operations listener', () => {
  for (const [path, accept] of [
    ['/livez', '*/*'],
    ['/metrics', '*/*'],
    ['/', 'text/html'],
  ] as const)
    it(`closes a connection with its last request, here ${path}`, async () => {
      const front = await testFront()
      try {
        const request = head(path, accept)
        const answers = await askBeyond(front.front.opsPort, request)
        deepEqual([answers.length, new Set(answers.map(statusIn))], [requestsPerSocketMax, new Set(['200'])])
        deepEqual([countClosing(answers.join('')), countClosing(answers.at(-1) ?? '')], [1, 1])
      } finally {
        await front.close()
      }
    })

  it('closes a connection with the answer to a request that comes while it stops', async () => {
    const arrivals = new EventEmitter()
    const collected = once(arrivals, 'collected').then(() => '# none\n')
    const front = await testFront({
      metricsText: () => collected,
      meter: { ...quietMeter, began: () => void arrivals.emit('request') },
    })
    const socket = connect(front.front.opsPort, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    socket.write(head('/metrics'))
    await once(arrivals, 'request')
    const closed = front.front.close(10_000)
    socket.write(head('/livez'))
    await once(arrivals, 'request')
    arrivals.emit('collected')
    await Promise.all([once(socket, 'close'), closed])
    equal(text.split('HTTP/1.1 200 OK').length, 3, text)
    equal(countClosing(text.slice(text.lastIndexOf('HTTP/1.1 '))), 1)
  })

  it('answers HEAD of a probe, the metrics and a page with the head that GET has, and no body', async () => {
    const front = await testFront()
    try {
      for (const [path, status] of [
        ['/livez', 200],
        ['/readyz', 200],
        ['/metrics', 200],
        ['/', 200],
        ['/reference/', 200],
        ['/nic', 404],
      ] as const) {
        const ask = { headers: { Accept: 'text/html' }, token: null }
        const got = await askTarget(front.front.opsPort, path, ask)
        const reply = await askTarget(front.front.opsPort, path, { ...ask, method: 'HEAD' })
        deepEqual([reply.status, got.status, reply.bytes.length], [status, status, 0], path)
        equal(reply.headers['content-type'], got.headers['content-type'], path)
      }
    } finally {
      await front.close()
    }
  })

  it('serves no page, probe or metrics to another method, and no row to HEAD', async () => {
    const front = await testFront()
    try {
      const statusOf = async (path: string, method: string, token: string | null): Promise<number> =>
        (await askTarget(front.front.opsPort, path, { method, headers: { Accept: 'text/html' }, token }))
          .status
      for (const path of ['/livez', '/readyz', '/metrics', '/', '/reference/', '/nic'])
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
          equal(await statusOf(path, method, null), 401, `${method} ${path}`)
          equal(await statusOf(path, method, testMachineToken), 404, `${method} ${path}`)
        }
      equal(await statusOf('/v1/api/health', 'HEAD', testMachineToken), 404)
    } finally {
      await front.close()
    }
  })
})

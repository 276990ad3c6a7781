import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, beforeEach, describe, it } from 'mocha'
import { type Outgoing, openOutgoing, pieceBytes, stallMs, streamsMax } from './outgoing.js'

const bytes = Buffer.alloc(24 * 1024 * 1024, 'x')

const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('answers on their way', () => {
  let server: Server
  let nowMs = 0
  let sent: Outgoing
  const answers: Array<ServerResponse> = []

  before(async () => {
    server = createServer((_req, res) => {
      answers.push(res)
      res.writeHead(200, ['Content-Length', String(bytes.length)])
      sent.send(res, bytes)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  beforeEach(() => {
    answers.length = 0
    sent = openOutgoing(() => nowMs, 2 * bytes.length)
  })
  after(() => server.close())

  /** A client that sends a request and never reads. */
  const deaf = async (): Promise<Socket> => {
    const socket = connect(portOf(server), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.pause()
    const arrived = once(server, 'request')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await arrived
    return socket
  }

  const allClosed = (): Promise<unknown> => Promise.all(answers.map(res => once(res, 'close')))

  it('hold one buffer and a few pieces, however many clients do not read', async () => {
    const sockets: Array<Socket> = []
    for (let at = 0; at < 12; at += 1) sockets.push(await deaf())
    equal(sent.heldBytes(), bytes.length)
    for (const res of answers) ok(res.writableLength <= 2 * pieceBytes, `${res.writableLength} bytes wait`)
    nowMs += stallMs
    const ended = allClosed()
    equal(sent.sweep(), 12)
    await ended
    deepEqual([sent.heldBytes(), answers.every(res => res.socket?.destroyed !== false)], [0, true])
    for (const socket of sockets) socket.destroy()
  })

  it('end when nothing of them is taken for half a minute, and not before', async () => {
    const socket = await deaf()
    nowMs += stallMs - 1
    equal(sent.sweep(), 0)
    socket.resume()
    const [res] = answers
    await (res === undefined ? null : once(res, 'finish'))
    nowMs += stallMs
    equal(sent.sweep(), 0)
    socket.destroy()
  })

  it('arrive whole at a client that reads', async () => {
    const { res, ended } = await new Promise<{ res: IncomingMessage; ended: Promise<unknown> }>(resolve => {
      get({ port: portOf(server), agent: false }, answer => resolve({ res: answer, ended: allClosed() }))
    })
    const parts: Array<Buffer> = []
    res.on('data', (part: Buffer) => void parts.push(part))
    await once(res, 'end')
    ok(Buffer.concat(parts).equals(bytes))
    await ended
    deepEqual([res.statusCode, sent.heldBytes()], [200, 0])
  })

  it('go out together at the end of the turn where they are small, and not to a client that left', async () => {
    const small = Buffer.from('small')
    const made: Array<ServerResponse> = []
    const listener = createServer((_req, res) => {
      made.push(res)
      if (made.length < 3) return
      for (const one of made) {
        one.writeHead(200, ['Content-Length', String(small.length)])
        sent.send(one, small)
      }
      deepEqual(
        made.map(one => one.writableEnded),
        [false, false, false],
      )
      made[1]?.destroy()
    })
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const ask = async (): Promise<string> => (await fetch(`http://127.0.0.1:${portOf(listener)}`)).text()
    const texts = await Promise.all([1, 2, 3].map(() => ask().catch(() => 'none')))
    deepEqual(texts.sort(), ['none', 'small', 'small'])
    listener.closeAllConnections()
    listener.close()
  })

  it('are not taken beyond what may be held at once, but for what is held already', async () => {
    const socket = await deaf()
    const other = Buffer.alloc(bytes.length + 1)
    deepEqual(
      [sent.takes(bytes), sent.takes(other), sent.takes(Buffer.alloc(pieceBytes))],
      [true, false, true],
    )
    const ended = allClosed()
    socket.destroy()
    await ended
    ok(sent.takes(other))
  })
})

describe('answers that are made while they are sent', () => {
  const piece = Buffer.alloc(pieceBytes, 'y')
  const piecesMax = 2_000
  let server: Server
  let nowMs = 0
  let made = 0
  let ended = 0
  let fails = Number.POSITIVE_INFINITY
  let sent: Outgoing
  let outcome: Promise<unknown> = Promise.resolve()

  const pieces = async function* (): AsyncGenerator<Buffer> {
    try {
      for (; made < piecesMax; made += 1) {
        if (made >= fails) throw new Error('a file is lost')
        yield await Promise.resolve(piece)
      }
    } finally {
      ended += 1
    }
  }

  before(async () => {
    server = createServer((_req, res) => {
      res.writeHead(200)
      outcome = sent.stream(res, pieces(), false).then(
        () => null,
        (error: unknown) => error,
      )
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  beforeEach(() => {
    made = 0
    ended = 0
    fails = Number.POSITIVE_INFINITY
    sent = openOutgoing(() => nowMs)
  })
  after(() => server.close())

  const ask = (): Promise<IncomingMessage> =>
    new Promise(resolve => {
      get({ port: portOf(server), agent: false }, resolve)
    })

  /** Reads to the end; false where the connection ended within the body. */
  const readAll = async (answer: IncomingMessage): Promise<boolean> => {
    answer.on('error', () => undefined)
    answer.resume()
    await new Promise(resolve => {
      answer.on('close', resolve)
    })
    return answer.complete
  }

  it('arrive whole at a client that reads', async () => {
    equal(await readAll(await ask()), true)
    deepEqual([made, ended, await outcome, sent.heldBytes()], [piecesMax, 1, null, 0])
  })

  it('are made no further than their client reads, and end when it takes nothing for half a minute', async () => {
    const answer = await ask()
    answer.on('error', () => undefined)
    answer.pause()
    let before = -1
    while (made !== before) {
      before = made
      await new Promise(resolve => {
        setTimeout(resolve, 100)
      })
    }
    ok(made < piecesMax, `${made} pieces were made`)
    nowMs += stallMs
    equal(sent.sweep(), 1)
    deepEqual([await outcome, ended], [null, 1])
    answer.destroy()
  })

  it('are sent to a few clients at a time', async () => {
    const answers: Array<IncomingMessage> = []
    const outcomes: Array<Promise<unknown>> = []
    while (sent.takesStream()) {
      ok(answers.length < streamsMax)
      const answer = await ask()
      answer.on('error', () => undefined)
      answer.pause()
      answers.push(answer)
      outcomes.push(outcome)
    }
    equal(answers.length, streamsMax)
    for (const answer of answers) answer.destroy()
    await Promise.all(outcomes)
    ok(sent.takesStream())
  })

  it('end when their client leaves', async () => {
    const answer = await ask()
    answer.on('error', () => undefined)
    answer.destroy()
    deepEqual([await outcome, ended], [null, 1])
    ok(made < piecesMax)
  })

  it('close the connection within the body where they cannot be made, and tell of it', async () => {
    fails = 30
    equal(await readAll(await ask()), false)
    const error = await outcome
    ok(error instanceof Error && error.message === 'a file is lost')
    equal(ended, 1)
  })
})

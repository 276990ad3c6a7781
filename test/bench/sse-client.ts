import { connect, type Socket } from 'node:net'
import { testMachineToken } from '#test/support/front.js'

/** A client of the stream that keeps nothing but what it needs to tell whether an event was missing. */
export interface StreamClient {
  readonly socket: Socket
  /** The number that the stream began behind. */
  readonly start: () => number
  /** Number of the last event seen. */
  readonly last: () => number
  /** Events that came out of order, or after a hole. */
  readonly faults: () => number
  readonly seen: () => number
  readonly isClosed: () => boolean
}

/** Follows the stream behind a number (null: from now on); resolves when the stream is open. */
export const streamClient = (port: number, after: number | null): Promise<StreamClient> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let last = after ?? 0
    let [faults, seen] = [0, 0]
    let start = -1
    let closed = false
    let rest = ''
    let before = ''
    const client: StreamClient = {
      socket,
      start: () => start,
      last: () => last,
      faults: () => faults,
      seen: () => seen,
      isClosed: () => closed,
    }
    const take = (id: number, isEvent: boolean): void => {
      if (isEvent) {
        seen += 1
        if (id !== last + 1) faults += 1
      }
      if (start < 0) start = id
      last = id
      resolve(client)
    }
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => {
      const lines = `${rest}${part}`.split('\n')
      rest = lines.pop() ?? ''
      // Of a long line only its beginning matters.
      if (rest.length > 64) rest = rest.slice(0, 64)
      for (const line of lines) {
        const id = /^id: (\d+)$/.exec(line)?.[1]
        if (id !== undefined) take(Number(id), before.startsWith('event: '))
        before = line
      }
    })
    socket.on('error', reject)
    socket.on('close', () => {
      closed = true
    })
    const resume = after === null ? '' : `Last-Event-ID: ${after}\r\n`
    socket.write(
      `GET /v1/api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${testMachineToken}\r\n${resume}\r\n`,
    )
  })

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Asks one request after another on one connection. */
export interface OneByOne {
  /** Milliseconds from the first byte sent to the last one read; throws where the answer is not a 200. */
  readonly ask: (headers: Readonly<Record<string, string>>) => Promise<number>
  readonly close: () => void
}

/** Fewer than a node takes on one connection. */
const requestsMax = 900
const headEnd = '\r\n\r\n'

/** Takes the bytes of one answer, of which it keeps the head alone. */
const openAnswer = () => {
  let head = ''
  let leftBytes: number | null = null
  const readHead = (bytes: Buffer): void => {
    const seen = head.length
    head += bytes.toString('latin1')
    const end = head.indexOf(headEnd)
    if (end < 0) return
    const length = /^content-length: (\d+)$/im.exec(head.slice(0, end))?.[1]
    if (length === undefined) throw new Error('an answer without a length')
    leftBytes = Number(length) - (seen + bytes.length - end - headEnd.length)
  }
  return {
    /** Whether the answer is whole. */
    take: (bytes: Buffer): boolean => {
      if (leftBytes === null) readHead(bytes)
      else leftBytes -= bytes.length
      return leftBytes !== null && leftBytes <= 0
    },
    status: (): string => head.slice(0, 12),
  }
}

interface Connection {
  readonly socket: Socket
  readonly readAnswer: () => Promise<string>
}

/** Reads into one buffer, so that the collections of this process are not taken for stalls of the node. */
const openConnection = async (hostname: string, port: number): Promise<Connection> => {
  let [onData, onClose] = [(_bytes: Buffer): void => undefined, (): void => undefined]
  const buffer = Buffer.alloc(65_536)
  const callback = (length: number): boolean => {
    onData(buffer.subarray(0, length))
    return true
  }
  const socket = connect({ host: hostname, port, onread: { buffer, callback } })
  socket.setNoDelay(true)
  await once(socket, 'connect')
  socket.on('error', () => onClose()).on('close', () => onClose())
  return {
    socket,
    readAnswer: () =>
      new Promise((resolve, reject) => {
        const answer = openAnswer()
        onClose = () => reject(new Error('the connection closed'))
        onData = bytes => {
          if (answer.take(bytes)) resolve(answer.status())
        }
      }),
  }
}

/** Asks a URL with different headers. The client does little, so that what is seen is the node. */
export const oneByOne = (url: string): OneByOne => {
  const { hostname, port, pathname, host } = new URL(url)
  let connection: Connection | null = null
  let asked = 0
  const connected = async (): Promise<Connection> => {
    if (connection !== null && asked < requestsMax) return connection
    connection?.socket.destroy()
    asked = 0
    connection = await openConnection(hostname, Number(port))
    return connection
  }
  return {
    ask: async headers => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`
      const { socket, readAnswer } = await connected()
      asked += 1
      const startedMs = performance.now()
      const answer = readAnswer()
      socket.write(request)
      const status = await answer
      const ms = performance.now() - startedMs
      if (status !== 'HTTP/1.1 200') throw new Error(`${url}: ${status}`)
      return ms
    },
    close: () => connection?.socket.destroy(),
  }
}

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Asks one request after another on one connection. */
export interface OneByOne {
  /** Milliseconds from the first byte sent to the last one read; throws where the answer is not a 200. */
  readonly ask: (headers: Readonly<Record<string, string>>) => Promise<number>
  readonly close: () => void
}

/** The length of a whole answer in the bytes that came; null while it is not whole. */
const wholeLength = (bytes: Buffer): number | null => {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const length = /^content-length: (\d+)$/im.exec(bytes.toString('latin1', 0, headEnd))?.[1]
  if (length === undefined) throw new Error('an answer without a length')
  const end = headEnd + 4 + Number(length)
  return bytes.length >= end ? end : null
}

const readAnswer = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0)
    const onData = (part: Buffer): void => {
      bytes = bytes.length === 0 ? part : Buffer.concat([bytes, part])
      if (wholeLength(bytes) === null) return
      socket.off('data', onData)
      socket.off('close', onClose)
      resolve(bytes.toString('latin1', 0, 12))
    }
    const onClose = (): void => reject(new Error('the connection closed'))
    socket.on('data', onData)
    socket.on('close', onClose)
  })

/** Fewer than a node takes on one connection. */
const requestsMax = 900

/** Asks a URL with different headers. The client does little, so that what is seen is the node. */
export const oneByOne = (url: string): OneByOne => {
  const { hostname, port, pathname, host } = new URL(url)
  let socket: Socket | null = null
  let asked = 0
  const connected = async (): Promise<Socket> => {
    if (socket !== null && asked < requestsMax) return socket
    socket?.destroy()
    asked = 0
    socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    await once(socket, 'connect')
    return socket
  }
  return {
    ask: async headers => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`
      const open = await connected()
      asked += 1
      const startedMs = performance.now()
      const answer = readAnswer(open)
      open.write(request)
      const head = await answer
      const ms = performance.now() - startedMs
      if (head !== 'HTTP/1.1 200') throw new Error(`${url}: ${head}`)
      return ms
    },
    close: () => socket?.destroy(),
  }
}

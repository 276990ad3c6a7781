import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

/** A chat platform that answers at once. Times are Unix milliseconds with fractions. */
export interface BenchPlatform {
  readonly url: string
  /** When the answer to each interaction came, by its token. */
  readonly answeredMs: ReadonlyMap<string, number>
  readonly messages: () => number
  /** How many answers came more than once: none, where the host takes the answers of this platform. */
  readonly repeated: () => number
  readonly close: () => Promise<void>
}

export const epochMs = (): number => performance.timeOrigin + performance.now()

const channels = [
  { id: '10', name: 'sesje', type: 4, parent_id: null },
  ...Array.from({ length: 20 }, (_, at) => ({
    id: String(100 + at),
    name: `kanał-${at}`,
    type: 0,
    parent_id: '10',
  })),
]

/** The token of `PATCH /api/webhooks/APPLICATION/TOKEN/messages/@original`. */
const tokenOf = ({ url = '' }: IncomingMessage): string => url.split('/')[4] ?? ''

/** What the host takes for a message; any other success counts as none, and is tried again. */
const message = { id: '1', channel_id: '100' }

export const startPlatform = async (): Promise<BenchPlatform> => {
  const answeredMs = new Map<string, number>()
  let [messages, repeated] = [0, 0]
  const recordAnswer = (token: string): void => {
    if (answeredMs.has(token)) repeated += 1
    else answeredMs.set(token, epochMs())
  }
  const server = createServer((request, response) => {
    if (request.method === 'PATCH') recordAnswer(tokenOf(request))
    if (request.method === 'POST') messages += 1
    request.resume()
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(request.method === 'GET' ? channels : message))
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/api`,
    answeredMs,
    messages: () => messages,
    repeated: () => repeated,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

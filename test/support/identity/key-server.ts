import { createServer, type Server } from 'node:http'
import { isIPv4 } from 'node:net'

/** A server on loopback that publishes a document, as the game does with its key. */
export interface KeyServer {
  readonly url: string
  readonly fetches: () => number
  /** Sets the document that it answers with; null: it answers 500. */
  readonly publish: (document: string | null) => void
  readonly close: () => Promise<void>
}

const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === 'string' || !isIPv4(address.address))
    throw new Error('not listening')
  return address.port
}

export const keyServer = async (first: string | null): Promise<KeyServer> => {
  let document = first
  let fetches = 0
  const server = createServer((_req, res) => {
    fetches += 1
    res.writeHead(document === null ? 500 : 200, { Connection: 'close' })
    res.end(document ?? '')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}/key`,
    fetches: () => fetches,
    publish: next => {
      document = next
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

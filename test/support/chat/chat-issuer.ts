import type { KeyObject } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { issuerKey } from '#test/support/identity/id-tokens.js'

/** A JWK as a server publishes it. */
export type PublishedKey = Readonly<Record<string, unknown>>

export const jwkOf = (kid: string, key: KeyObject = issuerKey(kid).publicKey): PublishedKey => ({
  ...key.export({ format: 'jwk' }),
  kid,
})

/** A server on loopback whose `close` also ends open connections. */
export interface Loopback {
  readonly url: string
  /** The number of connections opened to it. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

export const loopback = async (listener: RequestListener): Promise<Loopback> => {
  let connections = 0
  const server = createServer(listener)
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('nothing listens')
  return {
    url: `http://127.0.0.1:${address.port}`,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A chat issuer that publishes keys, and counts the requests for them. */
export interface ChatIssuer extends Loopback {
  readonly jwksUrl: string
  readonly publish: (...keys: ReadonlyArray<PublishedKey>) => void
  readonly fetches: () => number
}

export const chatIssuer = async (...first: ReadonlyArray<PublishedKey>): Promise<ChatIssuer> => {
  let keys = first
  let fetches = 0
  const server = await loopback((_, res) => {
    fetches += 1
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }))
  })
  return {
    ...server,
    jwksUrl: `${server.url}/jwks`,
    publish: (...next) => {
      keys = next
    },
    fetches: () => fetches,
  }
}

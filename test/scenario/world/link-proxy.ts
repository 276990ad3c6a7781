import { connect, createServer, type Server, type Socket } from 'node:net'
import { listenOnLoopback } from './listen-on-loopback.js'

export interface LinkProxyOptions {
  /** The place that opened a connection; null for a stranger, whose connection is ended. No byte is read before. */
  readonly callerOf: (client: Socket) => Promise<string | null> | string | null
  /** To which connections go, a port of loopback or the path of a socket; null while nothing listens there. */
  readonly target: () => { readonly port: number } | { readonly path: string } | null
  readonly isCut: (caller: string) => boolean
}

/** A TCP proxy in front of one place, on a port of loopback. */
export interface LinkProxy {
  readonly port: number
  /** Stalls the connections of callers that are cut now, and ends those that were stalled for a caller that is not. */
  readonly update: () => void
  /** Number of connections that were opened behind a cut link and are stalled. */
  readonly stalled: () => number
  readonly close: () => Promise<void>
}

/** A connection. A stalled one moves no byte in either direction, and its ends are not told. */
interface Connection {
  readonly caller: string
  readonly client: Socket
  readonly target: Socket | null
  isStalled: boolean
}

const destroyBoth = ({ client, target }: Connection): void => {
  client.destroy()
  target?.destroy()
}

const addressOf = (place: { readonly port: number } | { readonly path: string }) =>
  'path' in place ? { path: place.path } : { port: place.port, host: '127.0.0.1' }

const stall = (connection: Connection): void => {
  const { client, target } = connection
  connection.isStalled = true
  if (target === null) return
  client.unpipe(target).pause()
  target.unpipe(client).pause()
}

/**
 * Opens a proxy. A connection of a caller that is cut is accepted and gets no byte, as behind a wire that was pulled;
 * when the link is restored it is ended.
 */
export const openLinkProxy = async (options: LinkProxyOptions): Promise<LinkProxy> => {
  const connections = new Set<Connection>()
  const arrivals = new Set<Socket>()
  const carry = (client: Socket, caller: string | null): void => {
    const place = options.target()
    if (caller === null || place === null) return void client.resetAndDestroy()
    const isCut = options.isCut(caller)
    const target = isCut ? null : connect({ ...addressOf(place), allowHalfOpen: true })
    const connection: Connection = { caller, client, target, isStalled: isCut }
    connections.add(connection)
    for (const socket of [client, target])
      socket
        ?.on('error', () => destroyBoth(connection))
        .on('close', () => {
          destroyBoth(connection)
          connections.delete(connection)
        })
    if (target === null) return void client.pause()
    client.pipe(target)
    target.pipe(client)
  }
  const accept = async (client: Socket): Promise<void> => {
    arrivals.add(client)
    client.on('error', () => client.destroy())
    const caller = await Promise.resolve(options.callerOf(client)).catch(() => null)
    arrivals.delete(client)
    if (!client.destroyed) carry(client, caller)
  }
  const server: Server = createServer(
    { allowHalfOpen: true, noDelay: true, pauseOnConnect: true },
    client => void accept(client),
  )
  const port = await listenOnLoopback(server)
  return {
    port,
    update: () => {
      for (const connection of connections) {
        const isCut = options.isCut(connection.caller)
        if (isCut && !connection.isStalled) stall(connection)
        if (!isCut && connection.isStalled) destroyBoth(connection)
      }
    },
    stalled: () => [...connections].filter(({ target }) => target === null).length,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const client of arrivals) client.destroy()
        for (const connection of connections) destroyBoth(connection)
      }),
  }
}

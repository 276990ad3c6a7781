import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '#test/scenario/world/listen-on-loopback.js'

/** A TCP proxy before a host, which carries every request and can lose the answers. */
export interface AnswerProxy {
  readonly port: number
  /** Whether what the host answers from now on is thrown away. */
  readonly lose: (isLost: boolean) => void
  /** Number of bytes that were thrown away. */
  readonly lostBytes: () => number
  readonly close: () => Promise<void>
}

/** Opens the proxy; `target` is the port of the host at the time of a connection. */
export const openAnswerProxy = async (target: () => number): Promise<AnswerProxy> => {
  const sockets = new Set<Socket>()
  let isLost = false
  let lostBytes = 0
  const server = createServer(client => {
    const host = connect({ port: target(), host: '127.0.0.1' })
    for (const socket of [client, host]) {
      sockets.add(socket)
      socket
        .on('error', () => socket.destroy())
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          host.destroy()
        })
    }
    client.pipe(host)
    host.on('data', part => {
      if (isLost) lostBytes += part.length
      else client.write(part)
    })
  })
  return {
    port: await listenOnLoopback(server),
    lose: wanted => {
      isLost = wanted
    },
    lostBytes: () => lostBytes,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

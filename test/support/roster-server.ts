import { createServer, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'

/** What the roster of the world answers with. */
export interface RosterReply {
  readonly status?: number
  readonly headers?: OutgoingHttpHeaders
  readonly body: string | Buffer
}

/** A server on loopback that publishes who is online, as the world does. */
export interface RosterServer {
  readonly url: string
  readonly fetches: () => number
  readonly publish: (reply: RosterReply) => void
  /** Keeps further answers back; the returned function sends them. */
  readonly hold: () => () => void
  readonly close: () => Promise<void>
}

export const onlineRows = (...rows: ReadonlyArray<readonly [string, string]>): RosterReply => ({
  body: JSON.stringify(rows.map(([nick, gameId]) => ({ nick, gameId, charId: `9${gameId}` }))),
})

export const rosterServer = async (first: RosterReply): Promise<RosterServer> => {
  let reply = first
  let fetches = 0
  let held: Array<ServerResponse> | null = null
  const send = (res: ServerResponse): void => {
    res.writeHead(reply.status ?? 200, { ...reply.headers, Connection: 'close' })
    res.end(reply.body)
  }
  const server = createServer((_req, res) => {
    fetches += 1
    if (held === null) send(res)
    else held.push(res)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return {
    url: `http://127.0.0.1:${address.port}/online.json`,
    fetches: () => fetches,
    publish: next => {
      reply = next
    },
    hold: () => {
      held = []
      return () => {
        for (const res of held ?? []) send(res)
        held = null
      }
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

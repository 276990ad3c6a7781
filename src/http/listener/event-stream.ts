import type { ServerResponse } from 'node:http'
import type { Clock } from '#src/ports/clock.js'
import type { EventFeed, EventItem, LogPlace } from '#src/ports/records.js'
import type { HttpLog, StreamEnd } from '../records/meter.js'
import { baseHeaders, type ReplyTarget } from './write.js'

/** Limits of the live stream. Times in milliseconds. */
export interface StreamLimits {
  readonly clientsMax: number
  /** The most streams of one bearer. */
  readonly bearerMax: number
  /** The most bytes that may wait for one client, in its socket and in the feed. */
  readonly unsentBytesMax: number
  /** How long a client may accept no bytes. */
  readonly stalledMs: number
  readonly heartbeatMs: number
  /** How often stalls and heartbeats are checked. */
  readonly tickMs: number
}

export const streamLimits: StreamLimits = {
  clientsMax: 256,
  bearerMax: 32,
  unsentBytesMax: 1024 * 1024,
  stalledMs: 30_000,
  heartbeatMs: 15_000,
  tickMs: 1_000,
}

export interface StreamPorts {
  readonly feed: EventFeed
  readonly clock: Clock
  readonly opened: (clients: number) => void
  readonly ended: (reason: StreamEnd, clients: number) => void
  readonly unsent: (bytes: number) => void
  readonly log: HttpLog
}

/** A request for a stream; `since` null starts it at the head. */
export interface StreamWish {
  readonly since: number | null
  /** The bearer whose streams are counted together; null: only the total is limited. */
  readonly bearer: string | null
  /**
   * Whether the asker still has the right: checked at each tick, and before events are sent (S30, ADR 1018).
   */
  readonly isAdmitted: () => boolean
}

/** The open streams of a front (A 6). */
export interface EventStreams {
  /** Opens a stream; false where the limit of this bearer or of the host is reached (ADR 1021). */
  readonly open: (reply: ReplyTarget, wish: StreamWish) => boolean
  /** Ends every stream, and refuses new ones. */
  readonly close: () => void
}

/** Streams of events over plain responses; every client is limited (RELIABILITY, SSE). */
export const openEventStreams = (ports: StreamPorts, limits: StreamLimits = streamLimits): EventStreams => {
  const clients = new Set<Client>()
  const hub: Hub = { ports, limits, clients, unsent: 0, timer: null, forget: nothing, closed: false }
  return {
    open: (reply, wish) => openStream(hub, reply, wish),
    close: () => {
      hub.closed = true
      for (const client of [...clients]) endStream(hub, client, 'shutdown')
    },
  }
}

const retryMs = 3_000
const heartbeat = Buffer.from(': heartbeat\n\n')
/** The last line that the client reads; when it reconnects, the refusal says more. */
const revokedComment = ': ended, the token no longer opens this stream\n\n'
/** The most that is written at once: this bounds the memory for one client. */
const part = { lines: 256, bytes: 64 * 1024 }

interface Client {
  readonly res: ServerResponse
  readonly requestId: string
  readonly bearer: string | null
  readonly isAdmitted: () => boolean
  seq: number
  place: LogPlace | null
  /**
   * Since when the socket accepts no bytes, and how many the feed had published by then; null while it
   * accepts.
   */
  stalled: { readonly sinceMs: number; readonly givenBytes: number } | null
  wroteMs: number
  unsent: number
  ended: boolean
  /** Resumes the client's loop. */
  wake: () => void
}

interface Hub {
  readonly ports: StreamPorts
  readonly limits: StreamLimits
  readonly clients: Set<Client>
  unsent: number
  timer: NodeJS.Timeout | null
  forget: () => void
  closed: boolean
}

const nothing = (): void => undefined

const textOf = (item: EventItem): string => {
  if (item._tag === 'Gap') return `event: gap\nid: ${item.seq}\ndata: ${JSON.stringify(item.gap)}\n\n`
  const kind = /"kind":"([^"]*)"/.exec(item.text)?.[1] ?? 'message'
  return `event: ${kind}\nid: ${item.seq}\ndata: ${item.text}\n\n`
}

/** The frames of events in memory: encoded once, and shared by the sockets of all clients. */
const frames = new WeakMap<EventItem, Buffer>()

const frameOf = (item: EventItem): Buffer => {
  const known = frames.get(item)
  if (known !== undefined) return known
  const frame = Buffer.from(textOf(item))
  frames.set(item, frame)
  return frame
}

/** Measures what waits in the client's socket; the meter gets the sum over all clients. */
const measureUnsent = (hub: Hub, client: Client, bytes: number): void => {
  hub.unsent += bytes - client.unsent
  client.unsent = bytes
  hub.ports.unsent(hub.unsent)
}

const finishStream = (hub: Hub, client: Client, reason: StreamEnd): void => {
  if (client.ended) return
  client.ended = true
  hub.clients.delete(client)
  measureUnsent(hub, client, 0)
  hub.ports.ended(reason, hub.clients.size)
  if (hub.clients.size === 0) stopHub(hub)
  client.wake()
}

const cutStream = (hub: Hub, client: Client, reason: StreamEnd): void => {
  finishStream(hub, client, reason)
  client.res.destroy()
}

/** Ends a stream; the client can still read everything written, unless it was stalled. */
const endStream = (hub: Hub, client: Client, reason: StreamEnd): void => {
  const isStalled = client.stalled !== null
  finishStream(hub, client, reason)
  if (isStalled) client.res.destroy()
  else client.res.end()
}

/** Ends a stream whose right is gone and informs its client. Returns whether it did. */
const endIfRevoked = (hub: Hub, client: Client): boolean => {
  if (client.ended || client.isAdmitted()) return false
  if (client.stalled === null) client.res.write(revokedComment)
  endStream(hub, client, 'revoked')
  return true
}

/** One write for all chunks: a corked response of Node 24 does not report that its socket is full. */
const writeChunks = (hub: Hub, client: Client, chunks: ReadonlyArray<Buffer>): void => {
  const [first] = chunks
  client.res.write(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks))
  client.wroteMs = hub.ports.clock.monotonicMs()
  measureUnsent(hub, client, client.res.writableLength)
  if (client.res.writableNeedDrain)
    client.stalled = { sinceMs: client.wroteMs, givenBytes: hub.ports.feed.givenBytes() }
}

/** Whether too much waits for a client: in its socket, plus what was published since the socket was full. */
const isBehind = ({ ports, limits }: Hub, client: Client): boolean =>
  client.stalled !== null &&
  client.res.writableLength + ports.feed.givenBytes() - client.stalled.givenBytes > limits.unsentBytesMax

const onMore = (hub: Hub): void => {
  for (const client of hub.clients) {
    if (isBehind(hub, client)) cutStream(hub, client, 'slow')
    else if (client.stalled === null) client.wake()
  }
}

const onTick = (hub: Hub): void => {
  const nowMs = hub.ports.clock.monotonicMs()
  for (const client of hub.clients) {
    if (endIfRevoked(hub, client)) continue
    if (client.stalled !== null && nowMs - client.stalled.sinceMs >= hub.limits.stalledMs)
      cutStream(hub, client, 'slow')
    else if (client.stalled === null && nowMs - client.wroteMs >= hub.limits.heartbeatMs)
      writeChunks(hub, client, [heartbeat])
  }
}

const scheduleTick = (hub: Hub): void => {
  hub.timer = setTimeout(() => {
    scheduleTick(hub)
    onTick(hub)
  }, hub.limits.tickMs)
}

/** The first client starts the timer and the subscription; the last one stops both. */
const startHub = (hub: Hub): void => {
  if (hub.timer !== null) return
  hub.forget = hub.ports.feed.onMore(() => onMore(hub))
  scheduleTick(hub)
}

const stopHub = (hub: Hub): void => {
  if (hub.timer !== null) clearTimeout(hub.timer)
  hub.timer = null
  hub.forget()
  hub.forget = nothing
}

/** Waits until the client is woken, unless `isDue` holds already. */
const waitForWake = (client: Client, isDue: () => boolean): Promise<void> =>
  new Promise(resolve => {
    if (client.ended || isDue()) return resolve()
    client.wake = () => {
      client.wake = nothing
      resolve()
    }
  })

/** Sends the available events, waits for the socket, waits for more; until the stream ends. */
const followFeed = async (hub: Hub, client: Client): Promise<void> => {
  const { feed } = hub.ports
  const isOpen = (): boolean => !client.ended
  while (isOpen()) {
    const { items, place } = await feed.after(client.seq, part, client.place)
    if (!isOpen() || endIfRevoked(hub, client)) return
    const last = items.at(-1)
    if (last !== undefined) {
      client.seq = last.seq
      client.place = place
      writeChunks(hub, client, items.map(frameOf))
    }
    if (client.stalled !== null) await waitForWake(client, () => client.stalled === null)
    else if (last === undefined) await waitForWake(client, () => feed.head() !== client.seq)
  }
}

const clientOf = (
  hub: Hub,
  { res, requestId }: ReplyTarget,
  { since, bearer, isAdmitted }: StreamWish,
): Client => ({
  res,
  requestId,
  bearer,
  isAdmitted,
  seq: since ?? hub.ports.feed.head(),
  place: null,
  stalled: null,
  wroteMs: hub.ports.clock.monotonicMs(),
  unsent: 0,
  ended: false,
  wake: nothing,
})

const hasRoom = ({ closed, clients, limits }: Hub, bearer: string | null): boolean => {
  if (closed || clients.size >= limits.clientsMax) return false
  return bearer === null || [...clients].filter(one => one.bearer === bearer).length < limits.bearerMax
}

const openStream = (hub: Hub, reply: ReplyTarget, wish: StreamWish): boolean => {
  if (!hasRoom(hub, wish.bearer)) return false
  const { res } = reply
  if (res.destroyed) return true
  const client = clientOf(hub, reply, wish)
  hub.clients.add(client)
  hub.ports.opened(hub.clients.size)
  startHub(hub)
  res.once('close', () => finishStream(hub, client, 'client'))
  res.on('drain', () => {
    client.stalled = null
    measureUnsent(hub, client, res.writableLength)
    client.wake()
  })
  const headers = baseHeaders({ ...reply, last: true })
  headers.push('Content-Type', 'text/event-stream', 'Cache-Control', 'no-store', 'X-Accel-Buffering', 'no')
  res.writeHead(200, headers)
  writeChunks(hub, client, [Buffer.from(`retry: ${retryMs}\nid: ${client.seq}\n\n`)])
  followFeed(hub, client).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    hub.ports.log({ event: 'http.stream_failed', requestId: client.requestId, reason })
    cutStream(hub, client, 'fault')
  })
  return true
}

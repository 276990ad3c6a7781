import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ChatContract, WireRequest } from './chat-contract.js'
import type { MessageBook } from './message-book.js'

/** An answer within the contract; `headers` are added to those of the rate limit. */
export interface TameReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** An answer outside the contract: the test writes it itself. */
export type WildReply = (response: ServerResponse, request: IncomingMessage) => void

/** `well`: the platform's normal answer. */
export type DoubleReply = 'well' | TameReply | WildReply

export interface DoubleOptions {
  readonly contract?: ChatContract | null
  /** The most calls of one bucket in one window; default 5 in a second. */
  readonly limit?: number
  readonly windowMs?: number
  /** Receives each request as it comes. */
  readonly onRequest?: (request: WireRequest) => void
  /** Where messages go; if absent, every message is `555`. */
  readonly messages?: MessageBook
}

/** A double of the chat platform: real HTTP over a loopback socket, with rate limits. */
export interface ChatDouble {
  /** Base URL of its API. */
  readonly url: string
  readonly requests: ReadonlyArray<WireRequest & { readonly atMs: number }>
  /** Violations of the contract, by requests and by its own tame answers. */
  readonly breaches: ReadonlyArray<string>
  /** Sets the next replies, in order; normal answers follow. */
  readonly script: (...replies: ReadonlyArray<DoubleReply>) => void
  /** Drops the replies that were set and are not given yet. */
  readonly unscript: () => void
  readonly close: () => Promise<void>
}

export const roleBody = (id: string, name: string) => ({
  id,
  name,
  permissions: '0',
  position: Number(id),
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  managed: false,
  mentionable: false,
  icon: null,
  unicode_emoji: null,
  flags: 0,
})

export const guildRoleBodies = [roleBody('1', '@everyone'), roleBody('2', 'Rada'), roleBody('3', 'Straż')]

const channel = (id: string, name: string, type: number, parentId: string | null) => ({
  id,
  type,
  flags: 0,
  guild_id: '100',
  name,
  parent_id: parentId,
  position: 0,
  permission_overwrites: [],
})

export const channelBodies = [channel('10', 'sesje', 4, null), channel('11', 'solmyr-kanał', 0, '10')]

const author = {
  id: '9',
  username: 'kronika',
  avatar: null,
  discriminator: '0',
  public_flags: 0,
  flags: 0,
  bot: true,
  global_name: null,
  primary_guild: null,
}

const messageBody = (path: string, text: string, id: string) => ({
  type: 0,
  content: text,
  mentions: [],
  mention_roles: [],
  attachments: [],
  embeds: [],
  timestamp: '2026-06-15T12:00:00.000000+00:00',
  edited_timestamp: null,
  flags: 0,
  components: [],
  id,
  channel_id: path.split('/')[2] ?? '',
  author,
  pinned: false,
  mention_everyone: false,
  tts: false,
})

export const errorBody = (message: string, code = 0) => ({ message, code })

/** The platform's `429`, with the wait in both places. */
export const rateLimitReply = (seconds: number, scope: 'user' | 'global' | 'shared'): TameReply => ({
  status: 429,
  headers: {
    'retry-after': String(Math.ceil(seconds)),
    'x-ratelimit-scope': scope,
    ...(scope === 'global' ? { 'x-ratelimit-global': 'true' } : {}),
  },
  body: { ...errorBody('slow down'), retry_after: seconds, global: scope === 'global' },
})

/**
 * A complete answer that is not checked against the contract. Two statements, because the front's server
 * patches `writeHead`.
 */
export const wildReply =
  (status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): WildReply =>
  response => {
    response.writeHead(status, headers)
    response.end(body)
  }

const wellBody = ({ path, body }: WireRequest, id: string): unknown => {
  if (path.endsWith('/roles')) return guildRoleBodies
  return path.endsWith('/channels') ? channelBodies : messageBody(path, body === '' ? '' : 'sent', id)
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  const incoming: AsyncIterable<Buffer> = request
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const wire = async (request: IncomingMessage): Promise<WireRequest> => ({
  method: request.method ?? '',
  path: (request.url ?? '').replace(/^\/api\/v10/, ''),
  headers: Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  ),
  body: await textOf(request),
})

export const chatDouble = async ({
  contract = null,
  limit = 5,
  windowMs = 1_000,
  onRequest = () => undefined,
  messages,
}: DoubleOptions = {}): Promise<ChatDouble> => {
  const requests: Array<WireRequest & { readonly atMs: number }> = []
  const breaches: Array<string> = []
  const queue: Array<DoubleReply> = []
  const windows = new Map<string, { readonly sinceMs: number; readonly count: number }>()

  const counted = (path: string, nowMs: number) => {
    const before = windows.get(path)
    const sinceMs = before === undefined || nowMs >= before.sinceMs + windowMs ? nowMs : before.sinceMs
    const count = before?.sinceMs === sinceMs ? before.count + 1 : 1
    windows.set(path, { sinceMs, count })
    return {
      isOver: count > limit,
      headers: {
        'x-ratelimit-bucket': `bucket-of-${path.split('/').at(-1) ?? ''}`,
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(Math.max(0, limit - count)),
        'x-ratelimit-reset': String((Date.now() + sinceMs + windowMs - nowMs) / 1000),
        'x-ratelimit-reset-after': String(Math.ceil(sinceMs + windowMs - nowMs) / 1000),
      },
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const nowMs = performance.now()
    const seen = await wire(request)
    requests.push({ ...seen, atMs: nowMs })
    onRequest(seen)
    breaches.push(...(contract?.ofRequest(seen) ?? []))
    const reply = queue.shift() ?? 'well'
    // A test that writes the answer itself loses the answer, and not the message.
    const isMessage =
      typeof reply !== 'object' && seen.method === 'POST' && seen.path.startsWith('/channels/')
    const id = (isMessage ? messages?.post(seen, nowMs) : undefined) ?? '555'
    if (typeof reply === 'function') return reply(response, request)
    const bucket = counted(seen.path, nowMs)
    if (bucket.isOver && reply === 'well')
      breaches.push(`${seen.path}: more calls than the bucket was told to take`)
    const { status, headers, body }: TameReply =
      reply === 'well' ? { status: 200, body: wellBody(seen, id) } : reply
    const all = { ...bucket.headers, ...headers }
    breaches.push(...(contract?.ofAnswer(seen, status, all, body) ?? []))
    response.writeHead(status, { 'content-type': 'application/json', ...all })
    response.end(JSON.stringify(body))
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/api/v10`,
    requests,
    breaches,
    script: (...replies) => void queue.push(...replies),
    unscript: () => void queue.splice(0),
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

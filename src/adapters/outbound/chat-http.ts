import type { IncomingHttpHeaders } from 'node:http'
import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import { type ChatCall, type ChatFailure, heardHeaders, type silences } from '#protocol/chat/platform.js'
import type { OutboundFailure } from '#protocol/host/outbound.js'
import type { GuildRole, GuildRoles, MakeCall, RolesUnreadable } from '#src/ports/chat.js'
import type { Secret } from '#src/ports/identity.js'
import { exchange, type OutgoingRequest } from './exchange.js'
import { keepFetched } from './fetch-text.js'

/**
 * Makes calls of the chat platform over HTTP. Never rejects, and ends within `timeoutMs`. A refusal is decided
 * by its status alone, even where its body cannot be read.
 */
export const chatHttp =
  (setup: ChatHttp): MakeCall =>
  async (call, timeoutMs, signal) => {
    const limits = { timeoutMs, bytesMax, readsBody: () => true }
    const answer = await exchange(
      new URL(`${setup.base}${call.path}`),
      requestOf(setup, call),
      limits,
      signal,
    )
    if (answer._tag === 'NoAnswer') return { _tag: 'NoAnswer', reason: silenceOf(answer.reason) }
    const { status, headers, body } = answer
    if (isLeft(body) && status < 400) return { _tag: 'NoAnswer', reason: silenceOf(body.left) }
    const text = isLeft(body) ? '' : body.right.toString('utf8')
    return { _tag: 'Answer', status, headers: headersOf(headers), text }
  }

/** The roles of the guild, kept for `ttlMs` as by `keepFetched`. */
export const guildRoles = ({
  fetch,
  failed,
  ...setup
}: {
  /** Fetches the current roles from the platform. Never rejects. */
  readonly fetch: () => Promise<Either<ChatFailure, ReadonlyArray<GuildRole>>>
  /** `integrations.chat.role_cache_ttl_min`. */
  readonly ttlMs: number
  readonly monotonicMs: () => number
  /** Called with the reason of a failed fetch: callers only learn that it failed. */
  readonly failed: (failure: ChatFailure) => void
}): GuildRoles => {
  const roles = keepFetched({
    ...setup,
    fetch: async (): Promise<Read> => {
      const fetched = await fetch()
      if (!isLeft(fetched)) return fetched
      failed(fetched.left)
      return left({ _tag: 'roles_unreadable', detail: fetched.left.detail })
    },
  })
  return roles.read
}

/** 500 channels of a guild with their topics and rights are about 1 MiB. */
const bytesMax = 4 * 1024 * 1024

interface ChatHttp {
  readonly base: string
  /** Null for calls that carry their credential in their path. */
  readonly token: Secret | null
  /** The user agent that the platform requires, see `chatUserAgent`. */
  readonly userAgent: string
}

const requestOf = ({ token, userAgent }: ChatHttp, { method, body }: ChatCall): OutgoingRequest => ({
  method,
  headers: {
    accept: 'application/json',
    ...(token === null ? {} : { authorization: `Bot ${token.reveal()}` }),
    'user-agent': userAgent,
    ...(body === null ? {} : { 'content-type': 'application/json' }),
  },
  body,
  isRepeatable: method !== 'POST',
})

const headersOf = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    heardHeaders.flatMap(name => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

const silenceOf = (failure: OutboundFailure): keyof typeof silences =>
  failure === 'timeout' || failure === 'too_large' ? failure : 'network'

type Read = Either<RolesUnreadable, ReadonlyArray<GuildRole>>

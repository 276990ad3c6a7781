import type { IncomingHttpHeaders } from 'node:http'
import { isLeft } from 'fp-ts/lib/Either.js'
import { type ChatCall, heardHeaders, type silences } from '#protocol/chat/platform.js'
import type { OutboundFailure } from '#protocol/outbound.js'
import type { MakeCall } from '#src/ports/chat.js'
import type { Secret } from '#src/ports/identity.js'
import { exchange, type OutgoingRequest } from './exchange.js'

/** 500 channels of a guild with their topics and rights are about 1 MiB. */
const bytesMax = 4 * 1024 * 1024

export interface ChatHttp {
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

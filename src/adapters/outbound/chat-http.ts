import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { type ChatCall, type Heard, heardHeaders } from '#protocol/chat/call.js'
import type { MakeCall } from '#src/ports/chat.js'
import type { Secret } from '#src/ports/identity/secret.js'
import { safeAddress } from './safe-address.js'

/** 500 channels of a guild with their topics and rights are about 1 MiB. */
const bytesMax = 4 * 1024 * 1024

/**
 * The base URL of the API, without a slash at its end; null where a token must not be sent to the address.
 */
export const chatApiBase = (url: string): string | null => {
  const address = safeAddress(url)
  if (address === null || `${address.username}${address.password}${address.search}${address.hash}` !== '')
    return null
  return `${address.origin}${address.pathname.replace(/(?<!\/)\/+$/, '')}`
}

export interface ChatHttp {
  readonly base: string
  readonly token: Secret
  /**
   * The user agent that the platform requires: the bot's name and, in parentheses, the software and its
   * version.
   */
  readonly userAgent: string
}

/** Opens a connection only for this call: no keep-alive, no redirects, no compression. */
const sendCall = (
  { base, token, userAgent }: ChatHttp,
  call: ChatCall,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const address = new URL(`${base}${call.path}`)
    const send = address.protocol === 'https:' ? overHttps : overHttp
    const body = call.body === null ? null : Buffer.from(call.body, 'utf8')
    const headers = {
      accept: 'application/json',
      authorization: `Bot ${token.reveal()}`,
      'user-agent': userAgent,
      ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
    }
    send(address, { agent: false, method: call.method, signal, headers }, resolve)
      .on('error', reject)
      .end(body ?? undefined)
  })

const headersOf = (answer: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    heardHeaders.flatMap(name => {
      const value = answer.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

type Body = { readonly text: string } | { readonly reason: 'network' | 'too_large' }

const bodyOf = async (answer: IncomingMessage): Promise<Body> => {
  if (answer.headers['content-encoding'] !== undefined) return { reason: 'network' }
  const chunks: Array<Buffer> = []
  let size = 0
  const incoming: AsyncIterable<Buffer> = answer
  for await (const chunk of incoming) {
    size += chunk.length
    if (size > bytesMax) return { reason: 'too_large' }
    chunks.push(chunk)
  }
  return answer.complete ? { text: Buffer.concat(chunks).toString('utf8') } : { reason: 'network' }
}

/** A refusal is decided by its status alone, even where its body cannot be read. */
const heardOf = async (answer: IncomingMessage, silence: () => 'timeout' | 'network'): Promise<Heard> => {
  const status = answer.statusCode ?? 0
  const body = await bodyOf(answer).catch((): Body | { readonly reason: 'timeout' } => ({
    reason: silence(),
  }))
  if ('reason' in body && status < 400) return { _tag: 'NoAnswer', reason: body.reason }
  return { _tag: 'Answer', status, headers: headersOf(answer), text: 'text' in body ? body.text : '' }
}

/** Makes calls of the chat platform over HTTP. Never rejects, and ends within `timeoutMs`. */
export const chatHttp =
  (setup: ChatHttp): MakeCall =>
  async (call, timeoutMs, signal) => {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), timeoutMs)
    const silence = (): 'timeout' | 'network' => (limit.signal.aborted ? 'timeout' : 'network')
    try {
      const answer = await sendCall(setup, call, AbortSignal.any([signal, limit.signal]))
      try {
        return await heardOf(answer, silence)
      } finally {
        answer.destroy()
      }
    } catch {
      return { _tag: 'NoAnswer', reason: silence() }
    } finally {
      clearTimeout(timer)
    }
  }

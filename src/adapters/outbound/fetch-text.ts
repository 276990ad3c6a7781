import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { safeAddress } from './safe-address.js'

/** Why a fetch returned no text. `address`: the URL is invalid, or is `http:` to another machine. */
export type FetchTrouble = 'address' | 'unreachable' | 'timeout' | 'status' | 'too_large' | 'malformed'

export interface FetchLimits {
  /** From the name look-up to the last byte. */
  readonly timeoutMs: number
  readonly bytesMax: number
}

/** Opens a connection only for this request: no keep-alive, no redirects, no compression. */
const sendRequest = (address: URL, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = address.protocol === 'https:' ? overHttps : overHttp
    send(address, { agent: false, signal, headers: { accept: '*/*' } }, resolve)
      .on('error', reject)
      .end()
  })

const utf8 = new TextDecoder('utf-8', { fatal: true })

const textOf = (bytes: Buffer): Either<FetchTrouble, string> => {
  try {
    return right(utf8.decode(bytes))
  } catch {
    return left('malformed')
  }
}

const readText = async (answer: IncomingMessage, bytesMax: number): Promise<Either<FetchTrouble, string>> => {
  if (answer.statusCode !== 200) return left('status')
  if (answer.headers['content-encoding'] !== undefined) return left('malformed')
  const chunks: Array<Buffer> = []
  let size = 0
  const incoming: AsyncIterable<Buffer> = answer
  for await (const chunk of incoming) {
    size += chunk.length
    if (size > bytesMax) return left('too_large')
    chunks.push(chunk)
  }
  return answer.complete ? textOf(Buffer.concat(chunks)) : left('unreachable')
}

/** Fetches the text at an address that the operator configured. Never rejects, and ends within its limits. */
export const fetchText = async (
  url: string,
  { timeoutMs, bytesMax }: FetchLimits,
  signal: AbortSignal,
): Promise<Either<FetchTrouble, string>> => {
  const address = safeAddress(url)
  if (address === null) return left('address')
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  const ended = AbortSignal.any([signal, limit.signal])
  try {
    const answer = await sendRequest(address, ended)
    try {
      return await readText(answer, bytesMax)
    } finally {
      answer.destroy()
    }
  } catch {
    return left(limit.signal.aborted ? 'timeout' : 'unreachable')
  } finally {
    clearTimeout(timer)
  }
}

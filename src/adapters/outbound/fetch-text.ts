import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { FetchTrouble } from '#protocol/outbound.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'
import { safeAddress } from '#src/domain/outbound/outbound.js'
import { type ExchangeLimits, exchange } from './exchange.js'

export type FetchLimits = Omit<ExchangeLimits, 'readsBody'>

const utf8 = new TextDecoder('utf-8', { fatal: true })

const textOf = (bytes: Buffer): Either<FetchTrouble, string> => {
  try {
    return right(utf8.decode(bytes))
  } catch {
    return left('malformed')
  }
}

/**
 * Fetches the text at an address that the operator configured. Never rejects, and ends within its limits. Names the
 * client only with a `userAgent`.
 */
export const fetchText = async (
  url: string,
  limits: FetchLimits,
  signal: AbortSignal,
  userAgent: string | null = null,
): Promise<Either<FetchTrouble, string>> => {
  const address = safeAddress(url)
  if (address === null) {
    processMeter.count('svc_outbound_blocked_total', { reason: 'scheme' })
    return left('address')
  }
  const readsBody = (status: number): boolean => status === 200
  const headers = { accept: '*/*', ...(userAgent === null ? {} : { 'user-agent': userAgent }) }
  const answer = await exchange(
    address,
    { method: 'GET', headers, body: null },
    { ...limits, readsBody },
    signal,
  )
  if (answer._tag === 'NoAnswer') return left(answer.reason)
  if (answer.status !== 200) return left(answer.status === 404 ? 'not_found' : 'status')
  return isLeft(answer.body) ? answer.body : textOf(answer.body.right)
}

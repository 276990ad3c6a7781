import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { derivedStampHeader } from '#protocol/fleet/derived.js'
import { safeAddress } from '#src/domain/outbound/outbound.js'
import { type ExchangeLimits, exchange } from './exchange.js'

export interface FetchedBytes {
  readonly bytes: Buffer
  /** The value of `X-Svc-Derived-Stamp`; null without one. */
  readonly stamp: string | null
}

/** Why there are no bytes: no answer, an address that is not safe, or the status, as a text. */
export type FetchFault = string

/**
 * Fetches the bytes of a row of another host with a peer token. Follows no redirect and accepts no compression. Never
 * rejects, and ends within its limits.
 */
export const fetchDerived = async (
  url: string,
  token: string,
  limits: Pick<ExchangeLimits, 'timeoutMs' | 'bytesMax'>,
  signal: AbortSignal,
): Promise<Either<FetchFault, FetchedBytes>> => {
  const address = safeAddress(url)
  if (address === null) return left('address')
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const readsBody = (status: number): boolean => status === 200
  const answer = await exchange(
    address,
    { method: 'GET', headers, body: null },
    { ...limits, readsBody },
    signal,
  )
  if (answer._tag === 'NoAnswer') return left(answer.reason)
  if (answer.status !== 200) return left(`${answer.status}`)
  if (isLeft(answer.body)) return answer.body
  const stamp = answer.headers[derivedStampHeader.toLowerCase()]
  return right({ bytes: answer.body.right, stamp: typeof stamp === 'string' ? stamp : null })
}

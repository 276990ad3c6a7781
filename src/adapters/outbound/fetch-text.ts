import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { derivedStampHeader } from '#protocol/fleet/derived.js'
import type { FetchTrouble } from '#protocol/host/outbound.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'
import { safeAddress } from '#src/domain/outbound/outbound.js'
import { type ExchangeLimits, exchange } from './exchange.js'

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

/**
 * A value that is kept for `ttlMs` from the start of its fetch. One fetch runs at a time: a caller that comes
 * meanwhile shares it, and starts another one only if its value does not suffice.
 */
export const keepFetched = <E, A>({
  fetch,
  ttlMs,
  monotonicMs,
}: {
  /** Fetches the current value. Never rejects. */
  readonly fetch: () => Promise<Either<E, A>>
  readonly ttlMs: number
  readonly monotonicMs: () => number
}): FetchedValue<E, A> => {
  let kept: { readonly beganMs: number; readonly value: A } | null = null
  let flight: Promise<Either<E, A>> | null = null

  const begin = (): Promise<Either<E, A>> => {
    const beganMs = monotonicMs()
    const begun = fetch().then(fetched => {
      flight = null
      if (!isLeft(fetched)) kept = { beganMs, value: fetched.right }
      return fetched
    })
    flight = begun
    return begun
  }

  return {
    read: async suffices => {
      if (kept !== null && monotonicMs() - kept.beganMs < ttlMs && suffices(kept.value))
        return right(kept.value)
      const shared = flight
      if (shared === null) return begin()
      const read = await shared
      if (isLeft(read) || suffices(read.right)) return read
      const later: Promise<Either<E, A>> | null = flight
      return later ?? begin()
    },
    forget: () => {
      kept = null
    },
  }
}

type FetchLimits = Omit<ExchangeLimits, 'readsBody'>

const utf8 = new TextDecoder('utf-8', { fatal: true })

const textOf = (bytes: Buffer): Either<FetchTrouble, string> => {
  try {
    return right(utf8.decode(bytes))
  } catch {
    return left('malformed')
  }
}

/** A value of another machine that is kept for a time. */
interface FetchedValue<E, A> {
  /** Returns the kept value if it suffices, else a fetched one, whether that suffices or not. */
  readonly read: (suffices: (value: A) => boolean) => Promise<Either<E, A>>
  /** The next read fetches. */
  readonly forget: () => void
}

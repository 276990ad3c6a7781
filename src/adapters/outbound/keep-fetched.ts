import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'

export interface FetchSetup<E, A> {
  /** Fetches the current value. Never rejects. */
  readonly fetch: () => Promise<Either<E, A>>
  readonly ttlMs: number
  readonly monotonicMs: () => number
}

/** A value of another machine that is kept for a time. */
export interface FetchedValue<E, A> {
  /** Returns the kept value if it suffices, else a fetched one, whether that suffices or not. */
  readonly read: (suffices: (value: A) => boolean) => Promise<Either<E, A>>
  /** The next read fetches. */
  readonly forget: () => void
}

/**
 * A value that is kept for `ttlMs` from the start of its fetch. One fetch runs at a time: a caller that comes
 * meanwhile shares it, and starts another one only if its value does not suffice.
 */
export const keepFetched = <E, A>({ fetch, ttlMs, monotonicMs }: FetchSetup<E, A>): FetchedValue<E, A> => {
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

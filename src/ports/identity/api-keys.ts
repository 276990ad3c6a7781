import type { Either } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'

/** An api key that waits to be claimed on this host, encrypted under its code. */
export interface Claim {
  readonly codeHash: string
  readonly sealed: string
  readonly gameId: string
  readonly expiresMs: number
}

/** The claims of this host. The effect of a call is durable when it returns. Throws where the disk fails. */
export interface ClaimStore {
  /** Deletes the expired claims and stores one more. */
  readonly keep: (claim: Claim, nowMs: number) => void
  /**
   * Removes and returns a claim, to exactly one caller even when several ask at once; null if it is not
   * outstanding.
   */
  readonly take: (codeHash: string, nowMs: number) => Pick<Claim, 'sealed' | 'gameId'> | null
  readonly drop: (codeHash: string) => void
}

/** A new api key: `hash` may be committed; `code` is shown once and stored nowhere. */
export interface MintedKey {
  readonly hash: string
  readonly code: string
  readonly expiresMs: number
}

/** Creates api keys and hands them over (D39). */
export interface ApiKeyDesk {
  /** Creates a key and stores it encrypted; it is unusable until its hash is committed. */
  readonly mint: (gameId: string, nowMs: number) => Either<RefusalOf<'DiskRefused'>, MintedKey>
  /** Deletes a key whose hash was not committed. */
  readonly withdraw: (code: string) => void
  /** Returns the key of a code, once; null for a code that is unknown, expired or used. */
  readonly claim: (
    code: string,
    nowMs: number,
  ) => Either<RefusalOf<'DiskRefused'>, { readonly key: string; readonly gameId: string } | null>
}

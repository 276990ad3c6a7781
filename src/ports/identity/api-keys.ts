import type { Either } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'

/** A key that waits to be claimed on this host, sealed under its code. */
export interface Claim {
  readonly codeHash: string
  readonly sealed: string
  readonly gameId: string
  readonly expiresMs: number
}

/** The claims of this host; what a call did is on disk when it returns. A fault of the disk is thrown. */
export interface ClaimStore {
  /** Forgets the expired ones and keeps one more. */
  readonly keep: (claim: Claim, nowMs: number) => void
  /** Takes a claim away for one caller alone, however many ask at once; null for one that is not outstanding. */
  readonly take: (codeHash: string, nowMs: number) => Pick<Claim, 'sealed' | 'gameId'> | null
  readonly drop: (codeHash: string) => void
}

/** A key that was made: `hash` may be committed, `code` is told once and kept nowhere. */
export interface MintedKey {
  readonly hash: string
  readonly code: string
  readonly expiresMs: number
}

/** Makes api keys and hands them over (D39). */
export interface ApiKeyDesk {
  /** Makes a key and keeps it sealed; nobody knows it until its hash is committed. */
  readonly mint: (gameId: string, nowMs: number) => Either<RefusalOf<'DiskRefused'>, MintedKey>
  /** Forgets a key whose hash was not committed. */
  readonly withdraw: (code: string) => void
  /** The key behind a code, once; null for a code that is unknown, expired or used. */
  readonly claim: (
    code: string,
    nowMs: number,
  ) => Either<RefusalOf<'DiskRefused'>, { readonly key: string; readonly gameId: string } | null>
}

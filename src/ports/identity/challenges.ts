import type { Either } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'

/** What a challenge is for: the `token` of a game envelope, or the `nonce` of an id token (D42). */
export type ChallengeKind = 'game' | 'chat'

/** A text that proves once that a sign-in was begun here. */
export interface Challenge {
  readonly text: string
  readonly expiresMs: number
}

/** The outstanding challenges of this host, both kinds together (A 4.3, D42). */
export interface Challenges {
  /**
   * Sweeps the expired ones and makes a new one; on disk when it returns. At 512 outstanding the oldest of the network
   * that holds most gives way, where that network still holds no fewer than the one that asks; else it refuses.
   */
  readonly mint: (
    kind: ChallengeKind,
    network: string,
    nowMs: number,
  ) => Either<RefusalOf<'challenge_flood' | 'DiskRefused'>, Challenge>
  /**
   * Ends an outstanding challenge: true to one caller alone, however many ask at once, and never again after a crash
   * (S31). False for a text that is not outstanding.
   */
  readonly burn: (
    kind: ChallengeKind,
    text: string,
    nowMs: number,
  ) => Either<RefusalOf<'DiskRefused'>, boolean>
  /** Whether a burn would succeed now. */
  readonly isOutstanding: (kind: ChallengeKind, text: string, nowMs: number) => boolean
  readonly count: (nowMs: number) => number
}

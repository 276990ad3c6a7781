import type { Either } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'

/** What a challenge is for: the `token` of a game envelope, or the `nonce` of an id token (D42). */
export type ChallengeKind = 'game' | 'chat'

/** A text that proves once that a sign-in was begun at this host. */
export interface Challenge {
  readonly text: string
  readonly expiresMs: number
}

/** The outstanding challenges of this host, of both kinds (A 4.3, D42). */
export interface Challenges {
  /**
   * Deletes the expired challenges and creates a new one; durable when it returns. At 512 outstanding it
   * first drops the oldest challenge of the network that holds most, if that network still holds no fewer
   * than the one that asks; otherwise it refuses.
   */
  readonly mint: (
    kind: ChallengeKind,
    network: string,
    nowMs: number,
  ) => Either<RefusalOf<'challenge_flood' | 'DiskRefused'>, Challenge>
  /**
   * Uses up an outstanding challenge: true to exactly one caller, even when several ask at once, and never
   * again after a crash (S31). False for a text that is not outstanding.
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

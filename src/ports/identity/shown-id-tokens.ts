import type { Either } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'

/** The id tokens that signed a person in at this host and could be replayed: those without a nonce (D42). */
export interface ShownIdTokenStore {
  /**
   * Stores a token until it would be refused as expired; durable when it returns. Returns true to exactly one
   * caller, even when several show it at once, and never again after a crash. Throws what SQLite throws.
   */
  readonly keep: (text: string, refusedFromMs: number, nowMs: number) => boolean
}

/** Whether this host sees an id token for the first time. */
export type IsFirstShowing = (
  text: string,
  refusedFromMs: number,
  nowMs: number,
) => Either<RefusalOf<'DiskRefused'>, boolean>

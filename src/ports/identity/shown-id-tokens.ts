import type { Either } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'

/** The id tokens that signed somebody in at this host and would do so again: those without a nonce (D42). */
export interface ShownIdTokenStore {
  /**
   * Keeps a token until it is refused as expired; on disk when it returns. True to one caller alone, however many show
   * it at once, and never again after a crash. Throws what SQLite throws.
   */
  readonly keep: (text: string, refusedFromMs: number, nowMs: number) => boolean
}

/** Whether an id token is shown here for the first time. */
export type IsFirstShowing = (
  text: string,
  refusedFromMs: number,
  nowMs: number,
) => Either<RefusalOf<'DiskRefused'>, boolean>

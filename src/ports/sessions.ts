import type { Either } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'

/** Whom a sign-in proved: `chatId` is the account that signed in, null where the game did. */
export interface SignedIn {
  readonly gameId: string
  readonly chatId: string | null
}

/** The tokens of one sign-in, told once. `fleet` is null on a host that can mint none. */
export interface Minted {
  readonly token: string
  readonly expiresMs: number
  readonly fleet: { readonly token: string; readonly expiresMs: number } | null
}

/** Mints the tokens of a sign-in: what is answered is on disk (D41, S34: as a hash). */
export type MintSession = (who: SignedIn, nowMs: number) => Promise<Either<RefusalOf<'DiskRefused'>, Minted>>

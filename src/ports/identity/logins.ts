import type { Either } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'

/** Whom a sign-in proved: `chatId` is the account that signed in, null where the game did. */
export interface SignedIn {
  readonly gameId: string
  readonly chatId: string | null
}

export interface MintedFleet {
  readonly token: string
  readonly expiresMs: number
}

/** The tokens of one sign-in, told once. `fleet` is null on a host that can mint none. */
export interface Minted {
  readonly token: string
  readonly expiresMs: number
  readonly fleet: MintedFleet | null
}

/** Mints the tokens of a sign-in: what is answered is on disk (D41, S34: as a hash). */
export type MintLogin = (who: SignedIn, nowMs: number) => Promise<Either<RefusalOf<'DiskRefused'>, Minted>>

/** Mints the fleet's token of a sign-in; null on a host that can mint none. */
export type MintFleet = (who: SignedIn, nowMs: number) => Promise<MintedFleet | null>

/** A login as this host keeps it. */
export interface Login extends SignedIn {
  readonly createdMs: number
  readonly expiresMs: number
}

/** Logins on disk, each under the SHA-256 of its token in lower-case hex. A call throws where the disk refuses. */
export interface LoginStore {
  /** On disk when it returns. Forgets some that had expired when this one was made, and answers their hashes. */
  readonly keep: (hash: string, login: Login) => ReadonlyArray<string>
  /** All that have not expired. */
  readonly outstanding: (nowMs: number) => ReadonlyMap<string, Login>
}

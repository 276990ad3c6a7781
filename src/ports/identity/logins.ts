import type { Either } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'

/**
 * The person whom a sign-in proved. `chatId` is the chat account that signed in, null for a sign-in through
 * the game.
 */
export interface SignedIn {
  readonly gameId: string
  readonly chatId: string | null
}

export interface MintedFleet {
  readonly token: string
  readonly expiresMs: number
}

/** The tokens of one sign-in, shown only once. `fleet` is null on a host that cannot mint fleet tokens. */
export interface Minted {
  readonly token: string
  readonly expiresMs: number
  readonly fleet: MintedFleet | null
}

/** Mints the tokens of a sign-in. They are durable when this resolves (D41, S34: as a hash). */
export type MintLogin = (who: SignedIn, nowMs: number) => Promise<Either<RefusalOf<'DiskRefused'>, Minted>>

/** Mints the fleet token of a sign-in; null on a host that cannot mint one. */
export type MintFleet = (who: SignedIn, nowMs: number) => Promise<MintedFleet | null>

/** Mints the token with which this host calls the other towns; null on a host that cannot mint one (D49). */
export type MintPeer = (nowMs: number) => Promise<string | null>

/** A login as this host stores it. */
export interface Login extends SignedIn {
  readonly createdMs: number
  readonly expiresMs: number
}

/**
 * Logins on disk, each under the SHA-256 of its token in lower-case hex. A call throws where the disk
 * refuses.
 */
export interface LoginStore {
  /**
   * Durable when it returns. Deletes some logins that had expired when this one was created, and returns
   * their hashes.
   */
  readonly keep: (hash: string, login: Login) => ReadonlyArray<string>
  /** All logins that have not expired. */
  readonly outstanding: (nowMs: number) => ReadonlyMap<string, Login>
}

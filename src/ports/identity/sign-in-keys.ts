import type { KeyObject } from 'node:crypto'
import type { Either } from 'fp-ts/lib/Either.js'
import type { VerifyKey } from './jws.js'

/** Whose keys: the game's one key, or the key set of the chat issuer. */
export const keySources = ['game', 'jwks'] as const
export type KeySource = (typeof keySources)[number]

/** A public RSA key that sign-in is verified with. `kid` is null where its document names none, as that of the game. */
export interface SignInKey {
  readonly kid: string | null
  readonly key: KeyObject
}

/** Why there is no key to verify with: no URL is configured, or none could be fetched and none is kept. */
export interface KeysAway {
  readonly _tag: 'KeysAway'
  readonly why: 'unset' | 'unreachable'
}

/** The sign-in keys, kept for the time that the configuration says. Never rejects. */
export interface SignInKeys {
  /** The game's key: RSA of any size, so the verifier judges its strength (`isStrong`). */
  readonly game: () => Promise<Either<KeysAway, KeyObject>>
  /**
   * Strong RS256 keys of the chat issuer by this `kid`, all of them for null. None is a `kid` that the issuer does not
   * have: it was asked anew, unless that was done for another one within 60 s.
   */
  readonly chat: (kid: string | null) => Promise<Either<KeysAway, ReadonlyArray<VerifyKey>>>
}

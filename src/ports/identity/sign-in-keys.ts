import type { KeyObject } from 'node:crypto'
import type { Either } from 'fp-ts/lib/Either.js'
import type { VerifyKey } from './jws.js'

/** Whose keys: the game's one key, or the key set of the chat issuer. */
export const keySources = ['game', 'jwks'] as const
export type KeySource = (typeof keySources)[number]

/**
 * A public RSA key that sign-in is verified with. `kid` is null where its document has none, like the game's.
 */
export interface SignInKey {
  readonly kid: string | null
  readonly key: KeyObject
}

/** Why there is no key to verify with: no URL is configured, or no fetch succeeded and no key is cached. */
export interface KeysAway {
  readonly _tag: 'KeysAway'
  readonly why: 'unset' | 'unreachable'
}

/** The sign-in keys, cached for the configured time. Never rejects. */
export interface SignInKeys {
  /** The game's key: RSA of any size, so the verifier judges its strength (`isStrong`). */
  readonly game: () => Promise<Either<KeysAway, KeyObject>>
  /**
   * The issuer's strong RS256 keys with this `kid`, or all for null. An empty list means that the issuer does
   * not have the `kid`: it was asked again, unless it was asked for another unknown `kid` within 60 s.
   */
  readonly chat: (kid: string | null) => Promise<Either<KeysAway, ReadonlyArray<VerifyKey>>>
  /** A key that `chat` gave for this `kid` verified a token. */
  readonly verified: (kid: string | null) => void
}

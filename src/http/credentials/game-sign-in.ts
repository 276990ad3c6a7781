import type { KeyObject } from 'node:crypto'
import type { Either } from 'fp-ts/lib/Either.js'
import type { SignatureDigest } from '#protocol/sign-in.js'

/** How this host checks a payload that the game signed. */
export interface GameSignInRules {
  readonly digest: SignatureDigest
  /** Most seconds by which a signed time may be off, inclusive. */
  readonly skewS: number
  readonly requireChallenge: boolean
}

/** Game sign-in as this host is configured (A 4.3). */
export interface GameSignIn {
  /** Null: no key URL is configured, and game sign-in is off. */
  readonly rules: GameSignInRules | null
  readonly key: () => Promise<Either<unknown, KeyObject>>
}

import type { Caller } from '#src/domain/callers/caller.js'
import type { IdentityGround } from '../rights/identities.js'
import { callerOfSignIn } from '../rights/signed-in-caller.js'
import { type FindTokenRecord, rightOf } from './token-record.js'

/** The identity and the end of a login. */
export interface LoginRight {
  readonly gameId: string
  /** The chat account that signed in; null when the game did. */
  readonly chatId: string | null
  readonly expiresMs: number
}

/**
 * A login token, `sess_` and 256 random bits; the specification calls it a session token
 * (docs/vocabulary.md).
 */
export const loginToken = (secret: Buffer): string => `sess_${secret.toString('base64url')}`

/**
 * Returns a function that finds the caller of a login token, with the rights of the snapshot. It returns null
 * for an unknown or expired token, for a game id or link that is no longer valid, and before the first
 * snapshot.
 */
export const loginCaller = (find: FindTokenRecord<LoginRight>) => {
  const login = rightOf(find)
  return (token: string, snapshot: IdentityGround | null, nowMs: number): Caller | null => {
    if (snapshot === null) return null
    const right = login(token)
    if (right === null || nowMs >= right.expiresMs) return null
    return callerOfSignIn('session', right, snapshot)
  }
}

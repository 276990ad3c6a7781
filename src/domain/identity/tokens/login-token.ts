import type { Caller } from '#src/domain/callers/caller.js'
import type { IdentityGround } from '../rights/identities.js'
import { signedInCaller } from '../rights/signed-in-caller.js'
import { type FindTokenRecord, rightOf } from './token-record.js'

/** What a login token stands for: who signed in, and until when. */
export interface LoginRight {
  readonly gameId: string
  /** The chat account that signed in, null where the game did. */
  readonly chatId: string | null
  readonly expiresMs: number
}

/** `sess_` and 256 random bits: what the specification calls a session token (docs/vocabulary.md). */
export const loginToken = (secret: Buffer): string => `sess_${secret.toString('base64url')}`

/**
 * The caller behind a login token, with the rights that the snapshot gives now. Null where it is not kept or has
 * expired, and where its game id or its link is good no more; before the first snapshot nobody is known.
 */
export const loginCaller = (find: FindTokenRecord<LoginRight>) => {
  const login = rightOf(find)
  return (token: string, snapshot: IdentityGround | null, nowMs: number): Caller | null => {
    if (snapshot === null) return null
    const right = login(token)
    if (right === null || nowMs >= right.expiresMs) return null
    return signedInCaller('session', right, snapshot)
  }
}

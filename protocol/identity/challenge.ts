import * as t from 'io-ts'
import { Instant } from '../atoms/instant.js'

/** Most outstanding challenges of a host, those of game and chat together (A 8, D42). */
export const challengesMax = 512

/** How long a challenge may be used (D41). */
export const challengeTtlMs = 300_000

/** Without `+`, which separates the signed parts (A 4.3). */
export const challengeAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 62³² is above 2¹⁹⁰, so a challenge cannot be guessed within its lifetime. */
export const challengeChars = 32

/** The answer of a challenge row (A 2.2). */
export const LoginChallenge = t.type(
  { challenge: t.string, expires: Instant, ttlSeconds: t.number },
  'LoginChallenge',
)
export type LoginChallenge = t.TypeOf<typeof LoginChallenge>

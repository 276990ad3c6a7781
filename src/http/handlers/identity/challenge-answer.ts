import { instantOf } from '#protocol/atoms.js'
import { challengeTtlMs, type LoginChallenge } from '#protocol/sign-in.js'
import type { Challenge } from '#src/ports/identity.js'

/** The answer of both challenge rows (A 2.2). */
export const challengeAnswer = ({ text, expiresMs }: Challenge): LoginChallenge => ({
  challenge: text,
  expires: instantOf(expiresMs),
  ttlSeconds: challengeTtlMs / 1000,
})

import { instantOf } from '#protocol/atoms/instant.js'
import { challengeTtlMs, type LoginChallenge } from '#protocol/identity/challenge.js'
import type { Challenge } from '#src/ports/identity/challenges.js'

/** The answer of both challenge rows (A 2.2). */
export const challengeAnswer = ({ text, expiresMs }: Challenge): LoginChallenge => ({
  challenge: text,
  expires: instantOf(expiresMs),
  ttlSeconds: challengeTtlMs / 1000,
})

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { right } from 'fp-ts/lib/Either.js'
import type { GameEnvelope, SignatureDigest } from '#protocol/identity/sign-in.js'
import type { GameSignIn, GameSignInRules } from '#src/ports/identity.js'

/** A key of the kind that a game may have. */
export const gameKey = (modulusLength = 2048, publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent })

let made: ReturnType<typeof gameKey> | null = null

/** The game's key in all tests, created at its first use. */
export const testGameKey = (): ReturnType<typeof gameKey> => {
  made ??= gameKey()
  return made
}

export interface SignedParts {
  readonly userId: string
  readonly token: string
  readonly ts: number | string
}

/** The signed payload that the game makes of these parts. */
export const signEnvelope = (
  { userId, token, ts }: SignedParts,
  key: KeyObject = testGameKey().privateKey,
  digest: SignatureDigest = 'sha256',
): Required<GameEnvelope> => ({
  user_id: userId,
  token,
  ts,
  signatureBase64: sign(digest, Buffer.from(`${userId}+${token}+${ts}`), key).toString('base64'),
})

const rules: GameSignInRules = { digest: 'sha256', skewS: 300, requireChallenge: false }

/** Game sign-in with the tests' key. */
export const gameSignInWith = (overrides: Partial<GameSignInRules> = {}): GameSignIn => ({
  rules: { ...rules, ...overrides },
  key: () => Promise.resolve(right(testGameKey().publicKey)),
})

import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { type IdToken, type IdTokenRules, readIdToken } from '#src/domain/identity/id-token.js'
import type { KeysAway, SignInKeys, VerifyJws } from '#src/ports/identity.js'

/** Chat sign-in as this host is configured (A 4.3). */
export interface ChatSignIn {
  /**
   * The rules for id tokens; null: the configuration leaves a part of them empty, and chat sign-in is off.
   */
  readonly rules: IdTokenRules | null
  readonly keysBy: SignInKeys['chat']
  readonly verified: SignInKeys['verified']
  readonly verify: VerifyJws
}

const refuseIdToken = (why: string): RefusalOf<'Unauthorized'> =>
  refuse('Unauthorized', `The id token is refused because ${why}. Sign in again.`)

const refuseKeysAway = ({ why }: KeysAway): RefusalOf<'SigningKeyAway'> =>
  refuse(
    'SigningKeyAway',
    why === 'unset'
      ? 'This host is not told where the keys of the issuer are.'
      : 'The keys of the issuer cannot be fetched now. Try again in a minute.',
  )

/** Verifies an id token. Checks that need no key come first, so that an invalid token causes no fetch. */
export const verifyIdToken = async (
  text: string,
  rules: IdTokenRules,
  { keysBy, verified, verify }: ChatSignIn,
  nowMs: number,
): Promise<Either<RefusalOf<'Unauthorized' | 'SigningKeyAway'>, IdToken>> => {
  const token = readIdToken(text, rules, nowMs)
  if (isLeft(token)) return left(refuseIdToken(token.left))
  const keys = await keysBy(token.right.kid)
  if (isLeft(keys)) return left(refuseKeysAway(keys.left))
  const [key, ...others] = keys.right
  if (key === undefined) return left(refuseIdToken('the issuer has no such key'))
  if (others.length > 0)
    return left(refuseIdToken('its `kid` does not say which key of the issuer signed it'))
  if (!(await verify(text, key))) return left(refuseIdToken('the issuer did not sign it'))
  verified(token.right.kid)
  return right(token.right)
}

import { instantOf } from '#protocol/atoms.js'
import type { SignInAnswer } from '#protocol/sign-in.js'
import type { Known } from '#src/domain/identity/callers.js'
import { resolveCapabilities } from '#src/domain/identity/grade.js'
import type { Minted } from '#src/ports/identity.js'

/**
 * The answer of every sign-in (A 2.2, D42): who signed in, their capabilities, and the tokens, which are
 * shown only here.
 */
export const makeSignInAnswer = ({ identity, holds }: Known, minted: Minted): SignInAnswer => ({
  token: minted.token,
  identity,
  capabilities: resolveCapabilities(holds),
  expires: instantOf(minted.expiresMs),
  ...(minted.fleet === null
    ? {}
    : { fleetToken: minted.fleet.token, fleetTokenExpires: instantOf(minted.fleet.expiresMs) }),
})

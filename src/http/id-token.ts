import type { IdTokenRules } from '#src/identity/sign-in/id-token.js'
import type { VerifyJws } from '#src/ports/jws.js'
import type { SigningKeys } from '#src/ports/signing-keys.js'

/** Chat sign-in as this host is configured (A 4.3). */
export interface ChatSignIn {
  /** What id tokens are judged by; null: the configuration leaves a part of it empty, and chat sign-in is off. */
  readonly rules: IdTokenRules | null
  readonly keysBy: SigningKeys['chat']
  readonly verify: VerifyJws
}

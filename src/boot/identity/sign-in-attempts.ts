import type { Meter } from '#src/ports/meter.js'
import type { TellAttempt } from '#src/ports/sign-in-attempts.js'
import type { Audit } from '#src/ports/streams.js'

/** Counts every sign-in, and writes a refused credential to the audit stream (SECURITY). */
export const tellAttempt =
  (meter: Meter, audit: Audit): TellAttempt =>
  (method, result, reason) => {
    meter.count('svc_auth_attempts_total', { method, result })
    if (result === 'refused') audit({ action: 'credential.refused', actor: 'nobody', signIn: method, reason })
  }

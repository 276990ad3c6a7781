import type { TellAttempt } from '#src/ports/identity.js'
import type { Meter } from '#src/ports/records.js'
import type { RefusalTeller } from '../tell-refusals.js'

/** Counts every sign-in, and writes refused credentials to the audit stream, grouped (SECURITY, ADR 1021). */
export const tellAttempt =
  (meter: Meter, { tellSignIn }: Pick<RefusalTeller, 'tellSignIn'>): TellAttempt =>
  (method, result, reason, network) => {
    meter.count('svc_auth_attempts_total', { method, result })
    if (result === 'refused') tellSignIn(method, network, reason)
  }

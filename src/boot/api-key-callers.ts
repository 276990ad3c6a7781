import type { Resolve } from '#src/http/authenticate.js'
import { callerByApiKey } from '#src/identity/tokens/api-keys.js'
import type { Meter } from '#src/ports/meter.js'

/** Knows callers by their api keys, and counts the keys that were shown. */
export const apiKeyCallers =
  (meter: Meter): Resolve =>
  (token, snapshot) => {
    const caller = snapshot === null ? null : callerByApiKey(token, snapshot)
    meter.count('svc_auth_attempts_total', {
      method: 'api',
      result: caller === null ? 'refused' : 'accepted',
    })
    return caller
  }

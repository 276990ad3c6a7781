import type { SupervisorPolicy } from '#src/kernel/supervisor-spec.js'

/**
 * What sign-in leans on. Given up, it leaves sign-in at 503: whoever is signed in goes on (RELIABILITY 5), so nothing
 * here ever takes the node down.
 */
export const identity = {
  id: 'identity',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

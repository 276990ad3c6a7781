import type { SupervisorPolicy } from '#src/kernel/supervisor-spec.js'

/** What comes after the gate depends on it: a fault takes down the rest of the group, in order (D7). */
export const authority = {
  id: 'authority',
  strategy: 'rest_for_one',
  restartsMax: 3,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

import type { SupervisorPolicy } from '#src/kernel/supervision/supervisor-spec.js'

/** The children after the gate depend on it: a fault restarts the rest of the group too, in order (D7). */
export const authority = {
  id: 'authority',
  strategy: 'rest_for_one',
  restartsMax: 3,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

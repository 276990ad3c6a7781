import type { SupervisorPolicy } from '#src/kernel/supervisor-spec.js'

/**
 * What the host keeps of itself, started before everything that writes to it. Later children may lean on earlier ones
 * (D7); a store that cannot be had takes the node down: it never runs without one.
 */
export const store = {
  id: 'store',
  strategy: 'rest_for_one',
  restartsMax: 2,
  windowMs: 30_000,
} as const satisfies SupervisorPolicy

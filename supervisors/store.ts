import type { SupervisorPolicy } from '#src/kernel/supervision/supervisor-spec.js'

/**
 * What the host records of itself, started before everything that writes to it. Later children depend on
 * earlier ones (D7). A store that cannot be opened takes down the node: it never runs without one.
 */
export const store = {
  id: 'store',
  strategy: 'rest_for_one',
  restartsMax: 2,
  windowMs: 30_000,
} as const satisfies SupervisorPolicy

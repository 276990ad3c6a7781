import type { SupervisorPolicy } from '#src/kernel/supervisor-spec.js'

/**
 * The children that carry out takeovers, and ask for them. If one is abandoned, takeovers wait for the next start;
 * reads and writes go on, so it never takes down the node.
 */
export const fleet = {
  id: 'fleet',
  strategy: 'one_for_one',
  restartsMax: 3,
  windowMs: 600_000,
} as const satisfies SupervisorPolicy

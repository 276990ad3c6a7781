import type { SupervisorPolicy } from '#src/kernel/supervisor-spec.js'

/**
 * The child that carries out takeovers. If it is abandoned, jobs wait for the next start; reads and writes go on,
 * so it never takes down the node.
 */
export const fleet = {
  id: 'fleet',
  strategy: 'one_for_one',
  restartsMax: 3,
  windowMs: 600_000,
} as const satisfies SupervisorPolicy

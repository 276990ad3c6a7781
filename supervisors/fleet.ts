import type { SupervisorPolicy } from '#src/kernel/supervision/supervisor-spec.js'

/**
 * The children that do the work of the fleet: they carry out takeovers and ask for them, look at the outside monitor
 * and run workloads. If one is abandoned, its work waits for the next start; reads and writes go on, so it never takes
 * down the node.
 */
export const fleet = {
  id: 'fleet',
  strategy: 'one_for_one',
  restartsMax: 3,
  windowMs: 600_000,
} as const satisfies SupervisorPolicy

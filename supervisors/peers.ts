import type { SupervisorPolicy } from '#src/kernel/supervision/supervisor-spec.js'

/**
 * A watcher for each other town of the fleet. Each restarts by itself and has a budget of its own; an abandoned
 * one leaves its town unobserved, and the others go on (RELIABILITY 5).
 */
export const peers = {
  id: 'peers',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

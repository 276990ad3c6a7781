import type { SupervisorPolicy } from '#src/kernel/supervisor-spec.js'

/**
 * The child that calls the chat platform. If it is abandoned, deliveries are not made and guild roles are
 * unreadable; writes and reads go on (A 4.1.4, RELIABILITY 5), so it never takes down the node.
 */
export const delivery = {
  id: 'delivery',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

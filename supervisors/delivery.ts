import type { SupervisorPolicy } from '#src/kernel/supervision/supervisor-spec.js'

/**
 * The children that call the chat platform and enact what players ask through it. If one is abandoned, deliveries are
 * not made, guild roles are unreadable and interactions wait; writes and reads go on (A 4.1.4, RELIABILITY 5), so they
 * never take down the node.
 */
export const delivery = {
  id: 'delivery',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

import type { SupervisorPolicy } from '#src/kernel/supervisor-spec.js'

/**
 * What speaks with the chat platform. Given up, it leaves deliveries undone and guild roles unreadable: writes stand
 * and reads go on (A 4.1.4, RELIABILITY 5), so nothing here ever takes the node down.
 */
export const delivery = {
  id: 'delivery',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

import type { SupervisorPolicy } from '#src/kernel/supervision/supervisor-spec.js'

/**
 * The listeners: first to stop, last to start. They answer 503 where what they need is not there yet (D1).
 */
export const front = {
  id: 'front',
  strategy: 'one_for_one',
  restartsMax: 3,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

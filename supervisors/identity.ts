import type { SupervisorPolicy } from '#src/kernel/supervision/supervisor-spec.js'

/**
 * What sign-in depends on. If it is abandoned, sign-in answers 503 and people who are signed in are not
 * affected (RELIABILITY 5), so it never takes down the node.
 */
export const identity = {
  id: 'identity',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

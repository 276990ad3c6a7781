import type { SupervisorPolicy } from '#src/kernel/supervision/supervisor-spec.js'

/**
 * The corpus is a cache of the committed tree: its keeper restarts alone, and the last snapshot is served
 * meanwhile. Without the reader pool the main thread answers.
 */
export const corpus = {
  id: 'corpus',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

import type { SupervisorPolicy } from '#src/kernel/supervision/supervisor-spec.js'

/**
 * The indexes of search, a cache of the committed texts. If the child is abandoned, the threads that run go on
 * answering from the last indexes, and everything else is not affected; so it never takes down the node.
 */
export const search = {
  id: 'search',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

import type { SupervisorPolicy } from '#src/kernel/supervision/supervisor-spec.js'

/**
 * What is made of the transcripts of play. If a child is abandoned, its rows answer 503 or from what it made last, and
 * everything else is not affected; so it never takes down the node.
 */
export const archive = {
  id: 'archive',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
} as const satisfies SupervisorPolicy

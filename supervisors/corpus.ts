import type { SupervisorSpec } from '#src/kernel/supervisor.js'

/**
 * The corpus is a cache of the committed tree: its keeper comes back alone, and the last snapshot is served
 * meanwhile. Without the reader pool the main thread answers.
 */
export const corpus = {
  id: 'corpus',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
  children: [
    { id: 'corpus-keeper', restart: 'permanent', drainMs: 2_000 },
    {
      id: 'reader-pool',
      restart: 'permanent',
      drainMs: 2_000,
      restartsMax: 3,
      windowMs: 300_000,
      onGiveUp: 'abandon',
    },
  ],
} as const satisfies SupervisorSpec<string>

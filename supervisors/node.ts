import type { SupervisorSpec } from '#src/kernel/supervision/supervisor-spec.js'

/**
 * The root. Groups restart independently (one_for_one): reads continue from the last snapshot while one is
 * down. Started in this order, drained in reverse (D7). Exceeding the restart budget ends the process with
 * 70.
 */
export const node = {
  id: 'node',
  strategy: 'one_for_one',
  restartsMax: 3,
  windowMs: 60_000,
  children: [
    { id: 'store', restart: 'permanent', drainMs: 7_000 },
    { id: 'corpus', restart: 'permanent', drainMs: 5_000 },
    { id: 'search', restart: 'permanent', drainMs: 3_000 },
    { id: 'authority', restart: 'permanent', drainMs: 15_000 },
    { id: 'archive', restart: 'permanent', drainMs: 3_000 },
    { id: 'identity', restart: 'permanent', drainMs: 2_000 },
    { id: 'peers', restart: 'permanent', drainMs: 2_000 },
    { id: 'delivery', restart: 'permanent', drainMs: 5_000 },
    { id: 'fleet', restart: 'permanent', drainMs: 3_000 },
    { id: 'front', restart: 'permanent', drainMs: 10_000 },
  ],
} as const satisfies SupervisorSpec<string>

/** Of an actor whose work may wait: the host goes on without it after three restarts in ten minutes. */
export const abandonedAfterThree = {
  restart: 'permanent',
  drainMs: 2_000,
  restartsMax: 3,
  windowMs: 600_000,
  onGiveUp: 'abandon',
} as const

import type { SupervisorSpec } from '#src/kernel/supervisor.js'

/** What comes after the gate depends on it: a fault takes down the rest of the group, in order (D7). */
export const authority = {
  id: 'authority',
  strategy: 'rest_for_one',
  restartsMax: 3,
  windowMs: 60_000,
  children: [
    { id: 'write-gate', restart: 'permanent', drainMs: 10_000 },
    { id: 'job-runner', restart: 'permanent', drainMs: 10_000, restartsMax: 5 },
    { id: 'repository-sync', restart: 'permanent', drainMs: 4_000 },
  ],
} as const satisfies SupervisorSpec<string>

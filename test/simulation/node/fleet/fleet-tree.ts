import { fleet } from '#supervisors/fleet.js'
import { abandonedAfterThree } from '#supervisors/node.js'

/** The supervisors of a process of the fleet. The actors of takeovers have the policies of a node. */
export const hostSpec = {
  id: 'host',
  strategy: 'one_for_one',
  restartsMax: 5,
  windowMs: 60_000,
  children: [
    { id: 'authority', restart: 'permanent', drainMs: 1_000 },
    { id: 'peers', restart: 'permanent', drainMs: 1_000 },
    { id: 'fleet', restart: 'permanent', drainMs: 1_000 },
  ],
} as const

export const authoritySpec = {
  id: 'authority',
  strategy: 'rest_for_one',
  restartsMax: 3,
  windowMs: 60_000,
  children: [
    { id: 'write-gate', restart: 'permanent', drainMs: 1_000 },
    { id: 'repository-sync', restart: 'permanent', drainMs: 1_000 },
  ],
} as const

export const fleetSpec = {
  ...fleet,
  children: [
    { id: 'takeover-actuator', ...abandonedAfterThree },
    { id: 'failover', ...abandonedAfterThree },
  ],
} as const

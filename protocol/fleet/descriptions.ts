import type { Descriptions } from '../description.js'

export const fleetDescriptions: Descriptions = {
  StatusCard: {
    town: 'Name of this host in the fleet; empty where it was started without one.',
    role: '`primary`, `stepping-down` or `replica`; empty for a host in no fleet.',
    nowUtc: 'Clock of this host, ISO 8601 in UTC.',
    bootUtc: 'When the daemon started, ISO 8601 in UTC.',
    bootId: 'Random id of this start.',
    uptimeSeconds: 'Seconds since the start.',
    imageDigest: 'Digest of the container image; empty outside a container.',
    schemaVersion: 'Format that the repository is stamped with; null without a stamp.',
    syncAgeMinutes:
      'Minutes since the last full converge; null where sync is disabled or none succeeded yet.',
    version: 'Version of the daemon.',
  },
}

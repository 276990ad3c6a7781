import * as t from 'io-ts'
import { Instant } from '../atoms/instant.js'

/** The role of a host as others see it; empty for a host in no fleet (A 2.7). */
export const CardRole = t.keyof({ primary: null, 'stepping-down': null, replica: null, '': null }, 'CardRole')
export type CardRole = t.TypeOf<typeof CardRole>

/** `GET /fleet/status` (A 2.7): what a host tells anybody about itself. It has these keys and no other (S10). */
export const StatusCard = t.strict(
  {
    town: t.string,
    role: CardRole,
    nowUtc: Instant,
    bootUtc: Instant,
    bootId: t.string,
    uptimeSeconds: t.number,
    imageDigest: t.string,
    schemaVersion: t.union([t.number, t.null]),
    syncAgeMinutes: t.union([t.number, t.null]),
    version: t.string,
  },
  'StatusCard',
)
export type StatusCard = t.TypeOf<typeof StatusCard>

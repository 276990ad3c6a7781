import { type CapabilityId, capabilities, type NameKey } from '#protocol/atoms.js'
import type { Grade, View } from '#src/domain/callers/caller.js'
import type { Finding } from '#src/domain/lore/finding.js'

/** An entry of a bundle: a listed id, or `<resource>.all` for all ids of a listed resource. */
export type Grant = CapabilityId | `${string}.all`

/**
 * Bundles of capabilities by folded role name: the committed table, or the built-in one without a committed
 * one (D44).
 */
export interface RolesTable {
  /** `unreadable`: the committed table cannot be read, so the rights of a role are unknown. */
  readonly source: 'committed' | 'default' | 'unreadable'
  readonly bundles: ReadonlyMap<NameKey, ReadonlyArray<Grant>>
  readonly findings: ReadonlyArray<Finding>
}

/** Ids that no bundle can give: only `admin.all` satisfies them (A 5). */
export const ungrantable: ReadonlySet<string> = new Set(['docs.edit'])

/**
 * How far a set of ids satisfies a capability (A 5.2): full with the plain id, its resource's `.all` or
 * `admin.all`; own with only the `.own` variant; else none. `X.own` never satisfies `X`, and for `sync` an
 * own-only id counts as none. X satisfies X.own, which is less.
 */
export const gradeOf = (holds: ReadonlySet<string>, capability: CapabilityId): Grade => {
  if (holds.has('admin.all')) return 'full'
  if (ungrantable.has(capability)) return 'none'
  if (holds.has(capability) || holds.has(allOf(capability))) return 'full'
  if (capability.endsWith(ownSuffix) && holds.has(capability.slice(0, -ownSuffix.length))) return 'full'
  return !capability.startsWith('sync.') && holds.has(`${capability}${ownSuffix}`) ? 'own' : 'none'
}

/** What a caller with these ids may see beyond a route's own capability. */
export const viewOf = (holds: ReadonlySet<string>): View => {
  const opens = fileReaders.filter(capability => isFull(holds, capability))
  return {
    mayReadRestricted:
      isFull(holds, 'player.restricted.read') ||
      restrictedReaders.some(capability => isFull(holds, capability)),
    sessions: isFull(holds, 'session.read'),
    logs: isFull(holds, 'log.read'),
    external: isFull(holds, 'external.read'),
    ...(opens.length === 0 ? {} : { opens }),
  }
}

/**
 * Every listed id that the set satisfies in full, in the order of A 5: the resolved set of `GET
 * /capabilities`.
 */
export const resolveCapabilities = (holds: ReadonlySet<string>): ReadonlyArray<CapabilityId> =>
  capabilities.filter(
    capability =>
      isFull(holds, capability) ||
      (capability === 'player.restricted.read' && viewOf(holds).mayReadRestricted),
  )

const ownSuffix = '.own'

const allOf = (capability: string): string => `${capability.slice(0, capability.indexOf('.'))}.all`

/** Capabilities that include `player.restricted.read` (A 5). */
const restrictedReaders: ReadonlyArray<CapabilityId> = ['pu.award', 'lore.edit', 'moderation.read']

const isFull = (holds: ReadonlySet<string>, capability: CapabilityId): boolean =>
  gradeOf(holds, capability) === 'full'

/** Capabilities that serve files which no row that lists findings asks for. */
const fileReaders: ReadonlyArray<CapabilityId> = [
  'pu.read',
  'currency.read',
  'governance.read',
  'identity.link',
  'capability.admin',
  'admin.all',
]

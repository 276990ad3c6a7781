import type { CapabilityId, NameKey } from '#protocol/atoms.js'
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

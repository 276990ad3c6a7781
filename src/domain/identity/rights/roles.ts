import type { CapabilityId } from '#protocol/atoms/capability.js'
import type { NameKey } from '#protocol/atoms/name.js'
import type { Finding } from '#src/domain/lore/finding.js'

/** What a bundle may hold: a listed id, or `<resource>.all` for all of a listed resource. */
export type Grant = CapabilityId | `${string}.all`

/** Bundles of capabilities by folded role name: the committed table, or the built-in one where there is none (D44). */
export interface RolesTable {
  /** `unreadable`: the committed table cannot be read, and what a role is worth is not known. */
  readonly source: 'committed' | 'default' | 'unreadable'
  readonly bundles: ReadonlyMap<NameKey, ReadonlyArray<Grant>>
  /** What could not be read of the committed table. */
  readonly findings: ReadonlyArray<Finding>
}

import type { CapabilityId } from '#protocol/atoms/capability.js'
import type { NameKey } from '#protocol/atoms/name.js'

/** Bundles of capabilities by folded role name: the committed table, or the built-in one (D44). */
export interface RolesTable {
  readonly source: 'committed' | 'default'
  readonly bundles: ReadonlyMap<NameKey, ReadonlyArray<CapabilityId>>
}

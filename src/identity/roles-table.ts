import type { SourceFile } from '#src/lore/source-file.js'
import type { RolesTable } from './roles.js'

/** `.svc/roles.json`, or the built-in bundles (D44) where it is absent or unreadable. */
export const rolesTableOf = (_file: SourceFile | null): RolesTable => ({
  source: 'default',
  bundles: new Map(),
})

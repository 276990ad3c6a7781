import type { RepoPath } from '#protocol/atoms/path.js'
import { type Grants, grantsPath } from './grants.js'
import type { RolesTable } from './roles.js'
import { rolesPath } from './roles-table.js'

/**
 * The committed file without which nobody can say what a game id is worth; null where both are read. Until it is mended
 * the id gives nothing, and afterwards it may give anything: what would last longer than that, an account bound to it
 * or a key of it, waits (ADR 1018).
 */
export const unknownWorth = ({
  roles,
  grants,
}: {
  readonly roles: RolesTable
  readonly grants: Grants
}): RepoPath | null =>
  roles.source === 'unreadable' ? rolesPath : grants.stored === null ? grantsPath : null

import type { RepoPath } from '#protocol/atoms.js'
import { type Grants, grantsPath } from './grants.js'
import type { RolesTable } from './roles.js'
import { rolesPath } from './roles-table.js'

/**
 * The committed file whose state leaves the rights of game ids unknown; null when both are readable. Until it
 * is repaired an id gives nothing, and afterwards it may give anything. Writes with a lasting effect, such as
 * binding an account or issuing a key, must wait until then (ADR 1018).
 */
export const unknownWorth = ({
  roles,
  grants,
}: {
  readonly roles: RolesTable
  readonly grants: Grants
}): RepoPath | null =>
  roles.source === 'unreadable' ? rolesPath : grants.stored === null ? grantsPath : null

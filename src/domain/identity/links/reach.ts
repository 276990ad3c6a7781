import type { CapabilityId } from '#protocol/atoms.js'
import { resolveCapabilities } from '../rights/grade.js'
import { floor, type IdentityGround, identitiesOf } from '../rights/identities.js'
import { holdsOf } from '../rights/roles-table.js'

/**
 * The first capability of one of the ids that neither `authority` nor the bundle `gracz` has; null when there
 * is none. With such a capability the authority may not bind an account to the id or take one away from it: a
 * binding would otherwise give rights that nobody granted (ADR 1019).
 */
export const beyondReach = (
  ground: IdentityGround,
  authority: ReadonlySet<string>,
  gameIds: ReadonlyArray<string | null>,
): CapabilityId | null => {
  const identities = identitiesOf(ground)
  const mine = new Set<string>(
    resolveCapabilities(new Set([...authority, ...holdsOf(ground.roles, [floor])])),
  )
  for (const gameId of gameIds) {
    const known = gameId === null ? null : identities.byGameId(gameId)
    const lacking = resolveCapabilities(known?.holds ?? new Set()).find(capability => !mine.has(capability))
    if (lacking !== undefined) return lacking
  }
  return null
}

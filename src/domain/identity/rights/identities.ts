import type { Day } from '#protocol/atoms.js'
import type { Identity } from '#protocol/identity.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { People, Person } from '#src/domain/people/person.js'
import { isReservedName } from '#src/domain/people/store/reserved-name.js'
import { type Contributor, rosterOf } from '#src/domain/people/store/roster.js'
import type { Bindings } from '../links/bindings.js'
import { resolveCapabilities, viewOf } from './grade.js'
import type { Grants } from './grants.js'
import type { RolesTable } from './roles.js'
import { holdsOf } from './roles-table.js'

/** The inputs of identities; a snapshot has them all. */
export interface IdentityGround {
  readonly people: People
  readonly day: Day
  readonly roles: RolesTable
  readonly grants: Grants
  readonly bindings: Bindings
}

/** A Gracz with a game id that is theirs alone today, and all rights from roles and grants (A 5, D40). */
export interface Known {
  readonly identity: Identity
  readonly contributor: Contributor
  /** The bundle `gracz`, the bundles of today's roles, and the grants. */
  readonly holds: ReadonlySet<string>
}

export interface Identities {
  readonly byGameId: (gameId: string) => Known | null
  /**
   * Everybody whose block has the id open today. When `byGameId` is null nevertheless, the id is shared, its
   * holder has another open id, or the heading is reserved: the id then identifies nobody.
   */
  readonly holdersOf: (gameId: string) => ReadonlyArray<Person>
}

/** The bundle that everybody with an open game id holds (D44). */
export const floor = 'gracz'

const identityOfContributor = (contributor: Contributor, gameId: string, ground: IdentityGround): Known => {
  const roles = contributor.roles.map(role => role.name)
  const granted = ground.grants.byGameId.get(gameId) ?? new Set<string>()
  const chatId = ground.bindings.byGame.get(gameId)?.chatId ?? null
  return {
    identity: { gameId, name: contributor.person.name, roles, chatId },
    contributor,
    holds: new Set([...holdsOf(ground.roles, [floor, ...roles]), ...granted]),
  }
}

/** The identities on the day of a snapshot, computed once per snapshot; each person on first use. */
export const identitiesOf = perValue((ground: IdentityGround): Identities => {
  const roster = rosterOf(ground.people, ground.day)
  const listed = new Map(
    roster.listed.flatMap(one =>
      one.gameId === null || isReservedName(one.person.name) ? [] : [[one.gameId, one] as const],
    ),
  )
  const known = new Map<string, Known>()
  return {
    byGameId: gameId => {
      const before = known.get(gameId)
      if (before !== undefined) return before
      const contributor = listed.get(gameId)
      if (contributor === undefined) return null
      const made = identityOfContributor(contributor, gameId, ground)
      known.set(gameId, made)
      return made
    },
    holdersOf: gameId => roster.all.filter(one => one.openIds.includes(gameId)).map(one => one.person),
  }
})

/** The caller that speaks for a Gracz, with the rights of this snapshot. */
export const callerOf = (kind: 'session' | 'fleet' | 'api', { identity, holds }: Known): Caller => ({
  kind,
  gracz: identity.name,
  gameId: identity.gameId,
  holds,
  grade: 'full',
  view: viewOf(holds),
})

/** Whether `stronger` satisfies everything that `weaker` does, compared by resolved sets. */
export const hasEveryRightOf = (stronger: ReadonlySet<string>, weaker: ReadonlySet<string>): boolean => {
  const held = new Set<string>(resolveCapabilities(stronger))
  return resolveCapabilities(weaker).every(capability => held.has(capability))
}

/** Whether the ids reach beyond the bundle `gracz` (A 4.4.2, D44). */
export const isAboveFloor = (holds: ReadonlySet<string>, roles: RolesTable): boolean =>
  !hasEveryRightOf(holdsOf(roles, [floor]), holds)

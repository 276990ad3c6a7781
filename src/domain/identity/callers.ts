import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { Day } from '#protocol/atoms.js'
import type { Identity, KnownIdentity } from '#protocol/identity/identity.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Caller } from '#src/domain/callers/caller.js'
import {
  type Contributor,
  isReservedName,
  type People,
  type Person,
  rosterOf,
} from '#src/domain/people/roster.js'
import type { Bindings } from './bindings.js'
import { gradeOf, type RolesTable, resolveCapabilities, viewOf } from './grade.js'
import type { Grants } from './grants.js'
import { holdsOf } from './roles.js'

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

/**
 * The keys of those whom a write of a chat account counts for in the limit of own writes: the account that decides it,
 * so that it gains nothing by binding itself to one person after the other, and the person that it is bound to.
 */
export const chatWritersOf = (ground: IdentityGround, chatId: string): ReadonlyArray<string> => {
  const gameId = ground.bindings.byChat.get(chatId)?.gameId
  const known = gameId === undefined ? null : identitiesOf(ground).byGameId(gameId)
  return [`chat ${chatId}`, ...(known === null ? [] : [`gracz ${known.identity.name}`])]
}

/** The bundle that everybody with an open game id holds (D44). */
export const floor = 'gracz'

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

/**
 * The caller that speaks for a game id with the rights of a snapshot, computed once per snapshot; null when
 * the id identifies nobody today.
 */
export const knownCaller = (ground: IdentityGround, kind: Kind, gameId: string): Caller | null =>
  callersOf(ground)(kind, gameId)

/**
 * Why a game id identifies nobody: no block has it open today, several have, or its block has another id open
 * too. A block with a reserved heading counts as none. In doubt the id identifies nobody (A 4.4, ADR 1019).
 */
export type Doubt =
  | { readonly _tag: 'Nobody' }
  | { readonly _tag: 'Several'; readonly names: ReadonlyArray<string> }
  | { readonly _tag: 'OneOfTwo'; readonly names: ReadonlyArray<string> }

/** The person that a game id means today, or the reason why none; the caller words the refusal. */
export const resolveGameId = (ground: IdentityGround, gameId: string): Either<Doubt, Known> => {
  const { byGameId, holdersOf } = identitiesOf(ground)
  const known = byGameId(gameId)
  if (known !== null) return right(known)
  const names = holdersOf(gameId).map(person => person.name)
  if (names.every(isReservedName)) return left({ _tag: 'Nobody' })
  return left({ _tag: names.length > 1 ? 'Several' : 'OneOfTwo', names })
}

/**
 * The caller behind a token of a sign-in, with the present rights. Null when the id identifies nobody today,
 * or when the chat account that signed in is no longer linked to the id (docs/spec/sign-in.md#a-2-2).
 */
export const callerOfSignIn = (
  kind: 'session' | 'fleet',
  { gameId, chatId }: { readonly gameId: string; readonly chatId: string | null },
  ground: IdentityGround,
): Caller | null => {
  const isLinked = chatId === null || ground.bindings.byChat.get(chatId)?.gameId === gameId
  return isLinked ? knownCaller(ground, kind, gameId) : null
}

/**
 * The part of an identity that a caller may see: what the roster shows, and the chat account only for the
 * person themselves or for a caller who links accounts (docs/spec/identity.md#shown). A hidden account is
 * absent; null means that there is none.
 */
export const visibleIdentity = (caller: Caller, { chatId, ...shown }: Identity): KnownIdentity =>
  caller.gameId === shown.gameId || gradeOf(caller.holds, 'identity.link') === 'full'
    ? { ...shown, chatId }
    : shown

interface Identities {
  readonly byGameId: (gameId: string) => Known | null
  /**
   * Everybody whose block has the id open today. When `byGameId` is null nevertheless, the id is shared, its
   * holder has another open id, or the heading is reserved: the id then identifies nobody.
   */
  readonly holdersOf: (gameId: string) => ReadonlyArray<Person>
}

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

type Kind = Parameters<typeof callerOf>[0]

const callersOf = perValue((ground: IdentityGround) => {
  const identities = identitiesOf(ground)
  const made = new Map<string, Caller>()
  return (kind: Kind, gameId: string): Caller | null => {
    const key = `${kind} ${gameId}`
    const before = made.get(key)
    if (before !== undefined) return before
    const known = identities.byGameId(gameId)
    if (known === null) return null
    const caller = callerOf(kind, known)
    made.set(key, caller)
    return caller
  }
})

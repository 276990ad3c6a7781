import { type Either, isLeft, left, mapLeft, right } from 'fp-ts/lib/Either.js'
import { instantOf, isCapabilityId, requirePath } from '#protocol/atoms.js'
import type { AssignAnswer } from '#protocol/chat/platform.js'
import type { GrantAnswer, Granted, GrantWish, RevokeAnswer } from '#protocol/identity/identity.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Grade } from '#src/domain/callers/caller.js'
import { announceBinding, assignmentSentence } from '#src/domain/identity/announcements.js'
import {
  type AccountBinding,
  authoritiesOf,
  type Binding,
  bindAccount,
  bindingsPath,
  bindingsText,
  chatRolesOf,
  type GuildAuthority,
} from '#src/domain/identity/bindings.js'
import { type Doubt, identitiesOf, type Known, resolveGameId } from '#src/domain/identity/callers.js'
import { fitsCommitted } from '#src/domain/identity/committed-json.js'
import { type Grant, gradeOf, resolveCapabilities } from '#src/domain/identity/grade.js'
import { grantsByGameId, grantsPath, isGrant, type StoredGrant } from '#src/domain/identity/grants.js'
import {
  beyondReach,
  findByGameId,
  notAuthorised,
  refusePlayer,
  roleTooWeak,
  storeFull,
  storeUnreadable,
} from '#src/domain/identity/player-refusals.js'
import { holdsOf, unknownWorth } from '#src/domain/identity/roles.js'
import { type ChangeSet, recordListText } from '#src/domain/lore/changes.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * Gives a capability to a person by their game id (D40). The granter must hold it in full: otherwise
 * `capability.admin` would amount to `admin.all` (ADR 1019). A grant that exists is not written twice.
 */
export const grantPlan =
  (wish: GrantWish, granter: Granter) =>
  (snapshot: Snapshot, nowMs: number): Either<GrantRefusal, ChangeSet<GrantAnswer>> => {
    const wanted = grantable(wish.capability)
    if (isLeft(wanted)) return wanted
    const capability = wanted.right
    if (gradeOfGrant(granter.holds, capability) !== 'full')
      return left(
        refuse('Forbidden', `You can give only what you have in full, and you lack ${capability}.`, {
          required: capability,
        }),
      )
    const person = personOf(snapshot, wish.gameId)
    if (isLeft(person)) return person
    const { stored } = snapshot.grants
    if (stored === null) return left(unreadable())
    const { gameId, name } = person.right.identity
    const stands = stored.some(one => one.gameId === gameId && one.capability === capability)
    const grant = { gameId, capability, since: instantOf(nowMs), by: granter.by }
    const grants = stands ? stored : [...stored, grant]
    if (!stands && !fitsCommitted(textOf(snapshot, grants))) return left(full())
    const binding = snapshot.bindings.byGame.get(gameId) ?? null
    const after = { gameId, name, changed: !stands, held: 'full', binding: visibleBinding(binding) } as const
    return right(
      changeSet(
        {
          gameId,
          name,
          edits: stands ? [] : [editOf(snapshot, grants)],
          subject: `grants: give ${capability} to ${name} (${gameId})`,
        },
        { granted: capability, ...after },
        { wouldGrant: capability, ...after },
      ),
    )
  }

/**
 * Revokes any grant in the file, also one of an id that belongs to nobody any more or of an unknown
 * capability. The caller need not hold what they revoke, because less is never an elevation (ADR 1019).
 */
export const revokePlan =
  (wish: GrantWish) =>
  (snapshot: Snapshot): Either<RevokeRefusal, ChangeSet<RevokeAnswer>> => {
    const { stored } = snapshot.grants
    if (stored === null) return left(unreadable())
    const { gameId, capability } = wish
    const kept = stored.filter(one => one.gameId !== gameId || one.capability !== capability)
    const changed = kept.length < stored.length
    const refusal = changed ? null : slip(snapshot, wish)
    if (refusal !== null) return left(refusal)
    const name = identitiesOf(snapshot).byGameId(gameId)?.identity.name ?? null
    const after = { gameId, name, changed, held: gradeAfter(snapshot, gameId, kept, capability) }
    return right(
      changeSet(
        {
          gameId,
          name,
          edits: changed ? [editOf(snapshot, kept)] : [],
          subject: `grants: take ${capability} from ${name ?? 'nobody'} (${gameId})`,
        },
        { revoked: capability, ...after },
        { wouldRevoke: capability, ...after },
      ),
    )
  }

/** The name in files and records of a person who is known by a chat account only. */
export const accountName = (chatId: string): string => `chat:${chatId}`

/**
 * Plans a binding on the snapshot. Refuses while a file that it depends on cannot be read, because that file
 * must not be replaced and the rights of the id are unknown (ADR 1018), and when the list would become too
 * long to be read again.
 */
export const bindingWrite = (
  snapshot: Snapshot,
  { chatId, gameId, by }: Wish,
  nowMs: number,
): Either<RefusalOf<'StoreUnreadable'>, BindingWrite> => {
  const { bindings, files } = snapshot
  if (bindings.stored === null) return left(storeUnreadable(bindingsPath))
  const unknown = unknownWorth(snapshot)
  if (unknown !== null) return left(storeUnreadable(unknown))
  const made = bindAccount(bindings, bindings.stored, { chatId, gameId, since: instantOf(nowMs), by })
  const before = files.get(bindingsPath)?.blob ?? null
  const after = bindingsText(bindings.head, made.after)
  if (!made.alreadyLinked && !fitsCommitted(after)) return left(storeFull(bindingsPath))
  return right({
    bound: made,
    change: {
      edits: made.alreadyLinked ? [] : [{ _tag: 'Whole', path, before, after }],
      claims,
      touches: [{ kind: 'identity', name: gameId }],
      subject: `identity: chat account ${chatId} speaks for game id ${gameId}`,
    },
  })
}

/** The part of an answer that describes a binding. */
export const bindingAnswerOf = ({ binding, displaces, replaces }: AccountBinding, gracz: string) => ({
  chatId: binding.chatId,
  gameId: binding.gameId,
  gracz,
  displaces,
  replaces,
})

/**
 * Binds the account of another person on the authority of a guild role rather than of a linked player (A
 * 4.4). It may bind ids that registration refuses, as far as the bundle of the role reaches (ADR 1019).
 */
export const assignAccount = (
  snapshot: Snapshot,
  assigner: Assigner,
  { targetChatId, gameId }: Assignment,
  nowMs: number,
): Either<AssignRefusal, ChangeSet<AssignAnswer>> => {
  const authorities = findAuthorities(snapshot, assigner)
  if (isLeft(authorities)) return authorities
  const known = findByGameId(snapshot, gameId)
  if (isLeft(known)) return known
  const actor = accountName(assigner.chatId)
  const write = bindingWrite(snapshot, { chatId: targetChatId, gameId, by: actor }, nowMs)
  if (isLeft(write)) return write
  const { bound, change } = write.right
  const authority = findReachingAuthorities(snapshot, authorities.right, [gameId, bound.replaces])
  if (isLeft(authority)) return authority
  const { role, guildRole } = authority.right
  const said = bindingAnswerOf(bound, known.right.identity.name)
  const { displaces, replaces, gracz } = said
  const own = snapshot.bindings.byChat.get(assigner.chatId)?.gameId
  const by = own === undefined ? null : identitiesOf(snapshot).byGameId(own)
  const answer = {
    status: bound.alreadyLinked ? 'already_linked' : 'assigned',
    ...said,
    role,
    guildRole,
    announcement: assignmentSentence(announceBinding(snapshot, bound, known.right), {
      chatId: assigner.chatId,
      gracz: by?.identity.name ?? null,
      role,
      guildRole,
    }),
  } as const
  return right({
    ...change,
    answer,
    preview: { wouldAssign: gameId, ...answer },
    audit: [
      {
        action: 'identity.assign',
        actor,
        fields: { target: targetChatId, gameId, gracz, role, guildRole, displaces, replaces },
      },
    ],
  })
}

/**
 * The person who gives or takes a grant: their name as the file stores it, and their present capabilities.
 */
interface Granter {
  readonly by: string
  readonly holds: ReadonlySet<string>
}

const ids = 'GET /schema lists the capabilities'

/**
 * A capability that a grant can give: a listed id or `<resource>.all` that resolves to at least one id.
 * `docs.edit` and its `all` cannot be granted (A 5).
 */
const grantable = (capability: string): Either<RefusalOf<'ValueRefused'>, Grant> =>
  isGrant(capability) && resolveCapabilities(new Set([capability])).length > 0
    ? right(capability)
    : left(
        refuse('ValueRefused', `No grant can give "${capability}"; ${ids}.`, {
          field: 'capability',
          candidates: [],
        }),
      )

/**
 * How far a set of capabilities covers a grant. `<resource>.all` includes ids that are added later, so only
 * `<resource>.all` itself or `admin.all` covers it.
 */
const gradeOfGrant = (holds: ReadonlySet<string>, capability: Grant): Grade => {
  if (isCapabilityId(capability)) return gradeOf(holds, capability)
  return holds.has(capability) || holds.has('admin.all') ? 'full' : 'none'
}

const unreadable = (): RefusalOf<'StoreUnreadable'> =>
  refuse(
    'StoreUnreadable',
    `${grantsPath} cannot be read. Fix it, or restore its last good version, and commit that.`,
    {
      file: grantsPath,
    },
  )

const full = (): RefusalOf<'StoreUnreadable'> =>
  refuse('StoreUnreadable', `${grantsPath} would be too long to read. Revoke grants that are not needed.`, {
    file: grantsPath,
  })

const whyNot = (gameId: string, doubt: Doubt): string => {
  switch (doubt._tag) {
    case 'Nobody':
      return `No person has the game id ${gameId} open today. GET /people lists the ids.`
    case 'Several':
      return `Several people have the game id ${gameId} open today, so it belongs to none. Close it in all but one.`
    case 'OneOfTwo':
      return `The person with the game id ${gameId} has a second id open today. Close one of them.`
  }
}

const personOf = (snapshot: Snapshot, gameId: string): Either<RefusalOf<'IdentityNotFound'>, Known> =>
  mapLeft((doubt: Doubt) => refuse('IdentityNotFound', whyNot(gameId, doubt)))(
    resolveGameId(snapshot, gameId),
  )

const textOf = ({ grants: { head } }: Snapshot, grants: ReadonlyArray<StoredGrant>): string =>
  recordListText(head, 'grants', grants)

const editOf = (snapshot: Snapshot, grants: ReadonlyArray<StoredGrant>): FileEdit => ({
  _tag: 'Whole',
  path: grantsPath,
  before: snapshot.files.get(grantsPath)?.blob ?? null,
  after: textOf(snapshot, grants),
})

interface Change {
  readonly gameId: string
  readonly name: string | null
  readonly edits: ReadonlyArray<FileEdit>
  readonly subject: string
}

const changeSet = <A>(
  { gameId, name, edits, subject }: Change,
  answer: A,
  preview: object,
): ChangeSet<A> => ({
  edits,
  claims: [`slot:${grantsPath}`],
  touches: [{ kind: 'identity', name: name ?? gameId }],
  subject,
  answer,
  preview,
})

/** How far the person still holds a revoked capability, by the remaining grants and their roles. */
const gradeAfter = (
  snapshot: Snapshot,
  gameId: string,
  kept: ReadonlyArray<StoredGrant>,
  capability: string,
): Grade => {
  const grants = { ...snapshot.grants, byGameId: grantsByGameId(kept) }
  const person = identitiesOf({ ...snapshot, grants }).byGameId(gameId)
  return person === null || !isGrant(capability) ? 'none' : gradeOfGrant(person.holds, capability)
}

/**
 * The chat account that gets the right together with the id, so that the granter can check how it was bound.
 */
const visibleBinding = (binding: Binding | null): Granted['binding'] =>
  binding === null ? null : { chatId: binding.chatId, since: binding.since, by: binding.by }

type GrantRefusal = RefusalOf<'ValueRefused' | 'Forbidden' | 'IdentityNotFound' | 'StoreUnreadable'>

type RevokeRefusal = RefusalOf<'ValueRefused' | 'IdentityNotFound' | 'StoreUnreadable'>

/**
 * The refusal when no such grant exists and none could: the id or the capability is wrong. It keeps a typing
 * mistake from looking like a success.
 */
const slip = (snapshot: Snapshot, { gameId, capability }: GrantWish): RevokeRefusal | null => {
  const wanted = grantable(capability)
  if (isLeft(wanted)) return wanted.left
  const person = personOf(snapshot, gameId)
  return isLeft(person) ? person.left : null
}

/** A requested binding, and the person or account that requests it. */
interface Wish {
  readonly chatId: string
  readonly gameId: string
  readonly by: string
}

/** A planned binding, with the parts of the change set that do not depend on the workflow. */
interface BindingWrite {
  readonly bound: AccountBinding
  readonly change: Pick<ChangeSet<never>, 'edits' | 'claims' | 'touches' | 'subject'>
}

const path = requirePath(bindingsPath)

/** Claims both files: a grant in the same batch could change what the id may do. */
const claims = [`slot:${bindingsPath}`, `slot:${grantsPath}`]

/**
 * The person who assigns: their account, the roles that their interaction carried, and the roles of the
 * guild.
 */
interface Assigner {
  readonly chatId: string
  readonly held: ReadonlyArray<string>
  readonly guild: Parameters<typeof authoritiesOf>[1]
}

interface Assignment {
  readonly targetChatId: string
  readonly gameId: string
}

type Unauthorised = RefusalOf<'no_role_declared' | 'not_authorised'>
type AssignRefusal =
  | Unauthorised
  | RefusalOf<'no_gracz_for_game_id' | 'ambiguous_game_id' | 'StoreUnreadable' | 'RoleTooWeak'>

const findAuthorities = (
  { people }: Snapshot,
  { guild, held }: Assigner,
): Either<Unauthorised, ReadonlyArray<GuildAuthority>> => {
  const declared = chatRolesOf(people.roles)
  if (declared.length === 0) return left(refusePlayer('no_role_declared'))
  const authorities = authoritiesOf(people.roles, guild, held)
  return authorities.length === 0 ? left(notAuthorised(declared)) : right(authorities)
}

/** The first role whose bundle reaches the ids. The refusal names what the first role lacks. */
const findReachingAuthorities = (
  snapshot: Snapshot,
  authorities: ReadonlyArray<GuildAuthority>,
  gameIds: ReadonlyArray<string | null>,
): Either<RefusalOf<'RoleTooWeak'> | RefusalOf<'not_authorised'>, GuildAuthority> => {
  let weak: RefusalOf<'RoleTooWeak'> | null = null
  for (const authority of authorities) {
    const required = beyondReach(snapshot, holdsOf(snapshot.roles, [authority.role]), gameIds)
    if (required === null) return right(authority)
    weak ??= roleTooWeak(authority.role, required)
  }
  return left(weak ?? notAuthorised(chatRolesOf(snapshot.people.roles)))
}

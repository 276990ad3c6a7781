import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { AssignAnswer } from '#protocol/chat/platform.js'
import type { RefusalOf } from '#protocol/refusal.js'
import { announceBinding, assignmentSentence } from '#src/domain/identity/announcements.js'
import { authoritiesOf, chatRolesOf, type GuildAuthority } from '#src/domain/identity/bindings.js'
import { identitiesOf } from '#src/domain/identity/callers.js'
import {
  beyondReach,
  findByGameId,
  notAuthorised,
  refusePlayer,
  roleTooWeak,
} from '#src/domain/identity/player-refusals.js'
import { holdsOf } from '#src/domain/identity/roles.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { accountName, bindingAnswerOf, bindingWrite } from './binding-write.js'

/**
 * The person who assigns: their account, the roles that their interaction carried, and the roles of the
 * guild.
 */
export interface Assigner {
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

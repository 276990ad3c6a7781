import type { Either } from 'fp-ts/lib/Either.js'

/** A role of the guild. Names are not unique; ids are. */
export interface GuildRole {
  readonly id: string
  readonly name: string
}

/** The roles could not be had: no token, no guild, no answer, or a bad one. It tells nothing about who asks (A 4.4). */
export interface RolesUnreadable {
  readonly _tag: 'roles_unreadable'
  readonly detail: string
}

/**
 * All roles of `integrations.chat.guild_id`, as the guild has them. Roles kept from a fetch before are handed to
 * `suffice`; where it says no they are fetched, once. What is answered is then the guild's word of after the call, and
 * a miss in it is a miss. Where the fetch fails the answer is left, even if older roles are kept.
 */
export type GuildRoles = (
  suffice: (roles: ReadonlyArray<GuildRole>) => boolean,
) => Promise<Either<RolesUnreadable, ReadonlyArray<GuildRole>>>

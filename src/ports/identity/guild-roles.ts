import type { Either } from 'fp-ts/lib/Either.js'

/** A role of the guild. Names are not unique; ids are. */
export interface GuildRole {
  readonly id: string
  readonly name: string
}

/**
 * The roles could not be read: no token, no guild, no answer, or an invalid one. It says nothing about the
 * caller (A 4.4).
 */
export interface RolesUnreadable {
  readonly _tag: 'roles_unreadable'
  readonly detail: string
}

/**
 * Returns all roles of `integrations.chat.guild_id`. Passes the cached roles to `suffice`; where it returns
 * false, the roles are fetched once, so that an absent role is absent now. Where the fetch fails it returns
 * the failure, even if older roles are cached.
 */
export type GuildRoles = (
  suffice: (roles: ReadonlyArray<GuildRole>) => boolean,
) => Promise<Either<RolesUnreadable, ReadonlyArray<GuildRole>>>

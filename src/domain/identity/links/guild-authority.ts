import { nameKey } from '#protocol/atoms.js'
import type { RoleBlock } from '#src/domain/people/person.js'

/** A role of the guild, as the chat platform reports it. */
interface GuildRole {
  readonly id: string
  readonly name: string
}

/** A role of the store that a person may act for, because they hold the guild role that it names. */
export interface GuildAuthority {
  readonly role: string
  readonly guildRole: string
}

/** The guild roles that the store names by `@chat_rola`, each once (A 4.4). */
export const chatRolesOf = (roles: ReadonlyArray<RoleBlock>): ReadonlyArray<string> => [
  ...new Set(roles.flatMap(({ chatRoles }) => chatRoles)),
]

/**
 * The roles of the store that a person with these guild roles may act for, in the order of the store. Names
 * are compared folded (D11).
 */
export const authoritiesOf = (
  roles: ReadonlyArray<RoleBlock>,
  guild: ReadonlyArray<GuildRole>,
  held: ReadonlyArray<string>,
): ReadonlyArray<GuildAuthority> => {
  const theirs = guild.filter(({ id }) => held.includes(id))
  return roles.flatMap(({ name: role, chatRoles }) =>
    chatRoles.flatMap(declared =>
      theirs
        .filter(({ name }) => nameKey(name) === nameKey(declared))
        .map(({ name: guildRole }) => ({ role, guildRole })),
    ),
  )
}

/**
 * Whether cached guild roles are enough to decide: they give an authority, or they know every declared role
 * and every held id. Otherwise the guild may have changed, and the caller must fetch the roles again.
 */
export const canDecideFromCache = (
  roles: ReadonlyArray<RoleBlock>,
  guild: ReadonlyArray<GuildRole>,
  held: ReadonlyArray<string>,
): boolean => {
  if (authoritiesOf(roles, guild, held).length > 0) return true
  const names = new Set(guild.map(({ name }) => nameKey(name)))
  const ids = new Set(guild.map(({ id }) => id))
  return chatRolesOf(roles).every(name => names.has(nameKey(name))) && held.every(id => ids.has(id))
}

import { nameKey } from '#protocol/atoms/name.js'
import type { RoleBlock } from '#src/domain/people/person.js'

/** A role of the guild, as the chat has it. */
interface GuildRole {
  readonly id: string
  readonly name: string
}

/** A role of the store that somebody may speak for, because they hold the guild role that it names. */
export interface GuildAuthority {
  readonly role: string
  readonly guildRole: string
}

/** The guild roles that the store names by `@chat_rola`, each once (A 4.4). */
export const declaredRoles = (roles: ReadonlyArray<RoleBlock>): ReadonlyArray<string> => [
  ...new Set(roles.flatMap(({ chatRoles }) => chatRoles)),
]

/** What somebody with these guild roles may speak for, in the order of the store. Names are folded (D11). */
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
 * Whether roles kept from before can decide: they give an authority, or leave nothing unknown of what is declared and
 * held. Otherwise the guild may have changed since, and is asked again.
 */
export const decides = (
  roles: ReadonlyArray<RoleBlock>,
  guild: ReadonlyArray<GuildRole>,
  held: ReadonlyArray<string>,
): boolean => {
  if (authoritiesOf(roles, guild, held).length > 0) return true
  const names = new Set(guild.map(({ name }) => nameKey(name)))
  const ids = new Set(guild.map(({ id }) => id))
  return declaredRoles(roles).every(name => names.has(nameKey(name))) && held.every(id => ids.has(id))
}

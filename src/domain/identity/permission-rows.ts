import type { PermissionRow } from '#protocol/governance.js'
import { personNamed, rosterOf } from '#src/domain/people/store/roster.js'
import { type Permissions, splitStamp } from './permissions.js'
import { type IdentityGround, identitiesOf, type Known } from './rights/identities.js'

/** The person of a game id, a heading or an alias who has one game id of their own today; null for none. */
export const findByNick = (ground: IdentityGround, nick: string): Known | null => {
  const { byGameId } = identitiesOf(ground)
  const known = byGameId(nick)
  if (known !== null) return known
  const person = personNamed(ground.people, nick)
  const gameId = person === null ? null : (rosterOf(ground.people, ground.day).of.get(person)?.gameId ?? null)
  return gameId === null ? null : byGameId(gameId)
}

/** Whether a block has the text as its heading, as an alias of its own or as an open game id. */
export const isSomeone = (ground: IdentityGround, nick: string): boolean =>
  personNamed(ground.people, nick) !== null || identitiesOf(ground).holdersOf(nick).length > 0

/** The rows of the file; `id` keeps the row of that game id, or of the person whom it names. */
export const listPermissions = (
  ground: IdentityGround,
  rows: NonNullable<Permissions['rows']>,
  id: string | undefined,
): ReadonlyArray<PermissionRow> => {
  const { byGameId } = identitiesOf(ground)
  const wanted = id === undefined || rows.has(id) ? id : (findByNick(ground, id)?.identity.gameId ?? '')
  return [...rows]
    .filter(([gameId]) => wanted === undefined || gameId === wanted)
    .map(([gameId, row]) => ({ gameId, nick: byGameId(gameId)?.identity.name ?? null, ...splitStamp(row) }))
}

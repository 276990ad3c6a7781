import { timingSafeEqual } from 'node:crypto'
import type { Day } from '#protocol/atoms/day.js'
import type { Caller } from '#src/identity/caller.js'
import { callerOf, type IdentityGround, identitiesOf, type Known } from '#src/identity/rights/identities.js'
import { perValue } from '#src/lore/per-value.js'
import { activeOn } from '#src/lore/range.js'
import type { People } from '#src/people/person.js'
import { rosterOf } from '#src/people/roster.js'
import { tokenHash } from './machine-token.js'

/** What api keys are known by: the contributor store, and the moderator roster of `corpora.mc` (A 5.1). */
export interface ApiKeyGround extends IdentityGround {
  readonly moderators: People
}

/** A key of a store: its hash, and the game id that its block has today; null where the key is nobody's. */
interface Keyed {
  readonly hash: Buffer
  readonly gameId: string | null
}

const hexOf = (value: string): string => value.slice('sha256:'.length).toLowerCase()

/** Every hash of a store, whatever its days; `gameId` is null outside them and where the block has no id of its own. */
const keyedIn = (people: People, day: Day): ReadonlyArray<readonly [hex: string, gameId: string | null]> =>
  rosterOf(people, day).all.flatMap(({ person, gameId }) =>
    person.rows.flatMap(row =>
      row.tag === 'klucz_api' ? [[hexOf(row.value), activeOn(row.range, day) ? gameId : null] as const] : [],
    ),
  )

/**
 * The keys of a snapshot by their hash, made once for it. A hash that stands more than once, in one store or in both,
 * in small letters or in large, is nobody's: nobody can say whose it is (SECURITY 4.3).
 */
const keysOf = perValue((ground: ApiKeyGround): ReadonlyMap<string, Keyed> => {
  const keys = new Map<string, Keyed>()
  for (const people of [ground.people, ground.moderators])
    for (const [hex, gameId] of keyedIn(people, ground.day))
      keys.set(hex, { hash: Buffer.from(hex, 'hex'), gameId: keys.has(hex) ? null : gameId })
  return keys
})

/**
 * The person behind an api key: its hash first, one look-up by that, one comparison in constant time. A block of the
 * moderator roster says whose key it is, by its game id; the rights are those of the contributor store (ADR 0197).
 */
const ownerOf = (token: string, ground: ApiKeyGround): Known | null => {
  const hash = tokenHash(token)
  const keyed = keysOf(ground).get(hash.toString('hex'))
  if (keyed === undefined || !timingSafeEqual(keyed.hash, hash) || keyed.gameId === null) return null
  return identitiesOf(ground).byGameId(keyed.gameId)
}

/** The caller that an api key stands for, with the rights of this snapshot; null where it is nobody's. */
export const callerByApiKey = (token: string, ground: ApiKeyGround): Caller | null => {
  const owner = ownerOf(token, ground)
  return owner === null ? null : callerOf('api', owner)
}

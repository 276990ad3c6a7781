import type { Day } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import { isReservedName, type People, type Person, rosterOf } from '#src/domain/people/roster.js'
import { type IdentityGround, knownCaller } from '../callers.js'
import { endsMs, type FleetKey, type FleetKeys, publicKeyOf } from './fleet-keys.js'
import { rightOf, type TokenRecord } from './tokens.js'

/**
 * The caller of an api key, with the rights of this snapshot; null when the key identifies nobody. A block of
 * the moderator roster only assigns the key to a game id; the rights come from the contributor store
 * (docs/spec/rights.md#a-5-1).
 */
export const callerByApiKey = (token: string, ground: ApiKeyGround): Caller | null => {
  const find = (hash: string): TokenRecord<string | null> | null => keysOf(ground).get(hash) ?? null
  const gameId = rightOf(find)(token)
  return gameId === null ? null : knownCaller(ground, 'api', gameId)
}

export interface ListedKey {
  readonly kid: string
  readonly town: string
  readonly standing: KeyStanding
  /** RFC 3339; null when the key has no end. */
  readonly notAfter: string | null
  /** Whether this host has the private half; null when that is unknown. */
  readonly held: boolean | null
  /** The public half, as in the JWK. */
  readonly x: string
}

/**
 * The published keys by town, in the order of the file. `held`: the public halves of this host's private
 * keys; null when they cannot be read.
 */
export const describeKeys = (
  published: FleetKeys,
  held: ReadonlyArray<string> | null,
  nowMs: number,
): ReadonlyArray<ListedKey> =>
  (published.stored?.keys ?? [])
    .map(key => ({
      kid: key.kid,
      town: key.town,
      standing: standingOf(key, published, nowMs),
      notAfter: key.notAfter,
      held: held === null ? null : held.includes(key.jwk.x),
      x: key.jwk.x,
    }))
    .sort((one, other) => (one.town === other.town ? 0 : one.town < other.town ? -1 : 1))

/** The inputs of api keys: the contributor store, and the moderator roster of `corpora.mc` (A 5.1). */
interface ApiKeyGround extends IdentityGround {
  readonly moderators: People
}

const hexOf = (value: string): string => value.slice('sha256:'.length).toLowerCase()

type Stated = readonly [hex: string, gameId: string | null]

const keysOfPerson = ({ rows }: Person, day: Day, gameId: string | null): ReadonlyArray<Stated> =>
  rows
    .filter(row => row.tag === 'klucz_api')
    .map(row => [hexOf(row.value), activeOn(row.range, day) && row.unsure !== true ? gameId : null])

/**
 * All hashes of a store with the game id of their block. `gameId` is null outside the row's days, when these
 * cannot be read, when the block has no id of its own, and when its heading is reserved.
 */
const keysOfPeople = (people: People, day: Day): ReadonlyArray<Stated> => [
  ...rosterOf(people, day).all.flatMap(({ person, gameId }) =>
    keysOfPerson(person, day, isReservedName(person.name) ? null : gameId),
  ),
  ...people.repeated.flatMap(person => keysOfPerson(person, day, null)),
]

/**
 * The keys of a snapshot by hash, with the game id of their block today; computed once per snapshot. A hash
 * that occurs more than once, in one store or both, in lower or upper case, identifies nobody (SECURITY 4.3).
 */
const keysOf = perValue((ground: ApiKeyGround): ReadonlyMap<string, TokenRecord<string | null>> => {
  const keys = new Map<string, TokenRecord<string | null>>()
  for (const people of [ground.people, ground.moderators])
    for (const [hex, gameId] of keysOfPeople(people, ground.day))
      keys.set(hex, { hash: Buffer.from(hex, 'hex'), right: keys.has(hex) ? null : gameId })
  return keys
})

/**
 * The state of a published key: `current` has no end, `older` verifies until its end, `withdrawn` has ended,
 * and `unusable` never verifies, because its bytes are no key, its id is repeated, or its private half is
 * published.
 */
type KeyStanding = 'current' | 'older' | 'withdrawn' | 'unusable'

const standingOf = (key: FleetKey, { byKid }: FleetKeys, nowMs: number): KeyStanding => {
  if (!byKid.has(key.kid) || publicKeyOf(key) === null) return 'unusable'
  if (key.notAfter === null) return 'current'
  return nowMs <= endsMs(key) ? 'older' : 'withdrawn'
}

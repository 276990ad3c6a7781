import { endsMs, type FleetKey, type FleetKeys, publicKeyOf } from './fleet-keys.js'

/**
 * How a published key stands: `current` has no end, `older` goes on verifying until its end, `withdrawn` has ended,
 * and `unusable` never verifies, for its bytes are no key, its id stands twice, or its private half is published.
 */
export type KeyStanding = 'current' | 'older' | 'withdrawn' | 'unusable'

export interface ListedKey {
  readonly kid: string
  readonly town: string
  readonly standing: KeyStanding
  /** RFC 3339; null where the key has no end. */
  readonly notAfter: string | null
  /** Whether this host has the private half; null where that cannot be told. */
  readonly held: boolean | null
  /** The public half, as its JWK has it. */
  readonly x: string
}

const standingOf = (key: FleetKey, { byKid }: FleetKeys, nowMs: number): KeyStanding => {
  if (!byKid.has(key.kid) || publicKeyOf(key) === null) return 'unusable'
  if (key.notAfter === null) return 'current'
  return nowMs <= endsMs(key) ? 'older' : 'withdrawn'
}

/**
 * The published keys town by town, each town's in the order of the file. `held`: the public halves of the private keys
 * that this host has; null where they cannot be read.
 */
export const listedKeys = (
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

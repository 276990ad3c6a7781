import { endsMs, type FleetKey, type FleetKeys, publicKeyOf } from './fleet-keys.js'

/**
 * The state of a published key: `current` has no end, `older` verifies until its end, `withdrawn` has ended,
 * and `unusable` never verifies, because its bytes are no key, its id is repeated, or its private half is
 * published.
 */
export type KeyStanding = 'current' | 'older' | 'withdrawn' | 'unusable'

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

const standingOf = (key: FleetKey, { byKid }: FleetKeys, nowMs: number): KeyStanding => {
  if (!byKid.has(key.kid) || publicKeyOf(key) === null) return 'unusable'
  if (key.notAfter === null) return 'current'
  return nowMs <= endsMs(key) ? 'older' : 'withdrawn'
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

import { instantOf } from '#protocol/atoms.js'
import { endsMs, type FleetKey, type FleetKeysFile } from './fleet-keys.js'

/**
 * How long a key stays valid after its replacement: three converges of every host, and the lifetime of a
 * token.
 */
export const overlapMs = 3_600_000

export interface Rotation {
  readonly town: string
  /** The public half of the town's next key. */
  readonly x: string
  /** The public halves of all other keys stored beside the private key. */
  readonly held: ReadonlyArray<string>
  /**
   * Refuses every outstanding token, and removes the town's older keys and all held ones of any town: for a
   * key file that another person may have.
   */
  readonly raisesEpoch: boolean
  readonly nowMs: number
}

export interface Rotated {
  readonly file: FleetKeysFile
  readonly kid: string
}

const empty: FleetKeysFile = { epoch: 1, keys: [] }

const nthOf = ({ kid }: FleetKey): number => Number(/\.(\d{1,9})$/.exec(kid)?.[1] ?? 0)

/** The older keys of the town: dropped when they have ended, otherwise given an end. */
const endKey = (key: FleetKey, nowMs: number): ReadonlyArray<FleetKey> => {
  if (endsMs(key) < nowMs) return []
  return endsMs(key) <= nowMs + overlapMs ? [key] : [{ ...key, notAfter: instantOf(nowMs + overlapMs) }]
}

/**
 * The published file with the next key of a town. A key that is already published is kept, and so are keys of
 * other towns that are not held here.
 */
export const rotateFleetKey = (
  stored: FleetKeysFile | null,
  { town, x, held, raisesEpoch, nowMs }: Rotation,
): Rotated => {
  const { epoch, keys } = stored ?? empty
  const older = keys.filter(key => key.town === town && key.jwk.x !== x)
  const standing = keys.find(key => key.town === town && key.jwk.x === x && key.notAfter === null)
  const nth = Math.max(0, ...keys.filter(key => key.town === town).map(nthOf)) + 1
  const next: FleetKey = standing ?? {
    kid: `${town}.${nth}`,
    town,
    alg: 'EdDSA',
    jwk: { kty: 'OKP', crv: 'Ed25519', x },
    notAfter: null,
  }
  return {
    kid: next.kid,
    file: {
      ...stored,
      epoch: raisesEpoch ? epoch + 1 : epoch,
      keys: [
        ...keys.filter(key => key.town !== town && !(raisesEpoch && held.includes(key.jwk.x))),
        ...(raisesEpoch ? [] : older.flatMap(key => endKey(key, nowMs))),
        next,
      ],
    },
  }
}

/** The held keys that may still sign although they are published for another town. */
export const keysOfOtherTowns = (
  stored: FleetKeysFile | null,
  { town, held, nowMs }: Pick<Rotation, 'town' | 'held' | 'nowMs'>,
): ReadonlyArray<FleetKey> =>
  (stored ?? empty).keys.filter(key => key.town !== town && held.includes(key.jwk.x) && endsMs(key) >= nowMs)

/**
 * The published file without the keys of a town, so that every host refuses whatever they signed. The epoch
 * is not raised, because that would not stop a host that still has a published key
 * (docs/spec/fleet-keys.md#revoke).
 */
export const withdrawKeys = (stored: FleetKeysFile, town: string): FleetKeysFile => ({
  ...stored,
  keys: stored.keys.filter(key => key.town !== town),
})

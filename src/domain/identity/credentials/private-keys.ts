import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { capabilities, instantOf } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { readJson } from '#src/domain/json/json-text.js'
import { resolveCapabilities } from '../grade.js'
import { isGrant } from '../grants.js'
import { endsMs, type FleetKey, type FleetKeys, type FleetKeysFile, lifetimeS } from './fleet-keys.js'

/** The private half of a fleet key, with the public half as in its JWK. */
export interface PrivateKey {
  readonly key: KeyObject
  readonly x: string
}

/**
 * The Ed25519 keys in a text, in order: PKCS8 PEM blocks, or one JWK. An environment variable may use `\n`
 * for newlines. Anything else is skipped.
 */
export const privateKeysOf = (text: string): ReadonlyArray<PrivateKey> =>
  text.trimStart().startsWith('{')
    ? jwkOf(text).flatMap(key => keyOf(() => createPrivateKey({ key, format: 'jwk' })))
    : (text.replaceAll('\\n', '\n').match(block) ?? []).flatMap(pem => keyOf(() => createPrivateKey(pem)))

/** A key of this host as PEM, for its private file. */
export const pemOf = ({ key }: PrivateKey): string => key.export({ format: 'pem', type: 'pkcs8' }).toString()

/**
 * The key with which this host mints a token now, with its published entry: of its town's keys that outlive
 * the token, the one that ends first, so that every host knows a new key before it is used
 * (docs/spec/fleet-keys.md#rotate). Null when there is none.
 */
export const findMintKey = (
  { town, held }: Signer,
  { byKid }: FleetKeys,
  nowMs: number,
): { readonly published: FleetKey; readonly key: KeyObject } | null => {
  const lasting = [...byKid.values()]
    .filter(one => one.town === town && endsMs(one) >= nowMs + lifetimeS * 1000)
    .sort((one, other) => (endsMs(one) < endsMs(other) ? -1 : 1))
  for (const published of lasting) {
    const mine = held.find(({ x }) => x === published.jwk.x)
    if (mine !== undefined) return { published, key: mine.key }
  }
  return null
}

/** The towns for which keys of a host are published. */
export const townsOf = (held: ReadonlyArray<PrivateKey>, { byKid }: FleetKeys): ReadonlyArray<string> => [
  ...new Set(
    [...byKid.values()].filter(({ jwk }) => held.some(({ x }) => x === jwk.x)).map(({ town }) => town),
  ),
]

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

/**
 * The capabilities that a token of this holder freezes, each once. Refuses ids that the holder does not hold
 * in full. `<resource>.all` must be held as such, because it includes ids that later builds add
 * (docs/spec/identity.md#named-tokens).
 */
export const freezeSet = (
  holds: ReadonlySet<string>,
  wanted: ReadonlyArray<string>,
): Either<RefusalOf<'ValueRefused' | 'Forbidden'>, ReadonlyArray<string>> => {
  const strange = wanted.find(id => !isGrant(id))
  if (strange !== undefined)
    return left(
      refuse(
        'ValueRefused',
        `${strange} is not a capability that a token can have. GET /schema lists them.`,
        {
          field: 'capabilities',
          candidates: sameResource(strange),
        },
      ),
    )
  const beyond = firstBeyond(holds, wanted)
  return beyond === null
    ? right([...new Set(wanted)])
    : left(
        refuse('Forbidden', `A token cannot have more than you have. You lack ${beyond}.`, {
          required: beyond,
        }),
      )
}

const block = /-----BEGIN PRIVATE KEY-----[^-]*-----END PRIVATE KEY-----/g

const Jwk = t.type({ kty: t.literal('OKP'), crv: t.literal('Ed25519'), x: t.string, d: t.string })

const jwkOf = (text: string): ReadonlyArray<t.TypeOf<typeof Jwk>> => {
  const json = readJson(text)
  return isLeft(json) || !Jwk.is(json.right) ? [] : [json.right]
}

const keyOf = (read: () => KeyObject): ReadonlyArray<PrivateKey> => {
  const key = tryCatch(read, error => error)
  if (isLeft(key) || key.right.asymmetricKeyType !== 'ed25519') return []
  const { x } = createPublicKey(key.right).export({ format: 'jwk' })
  return x === undefined ? [] : [{ key: key.right, x }]
}

/** A host that signs: its private keys and its town. */
interface Signer {
  readonly town: string
  readonly held: ReadonlyArray<PrivateKey>
}

/**
 * How long a key stays valid after its replacement: three converges of every host, and the lifetime of a
 * token.
 */
const overlapMs = 3_600_000

interface Rotated {
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

const everything = 'admin.all'

/** The first wanted id that the holder may not freeze; null when all are allowed. */
const firstBeyond = (holds: ReadonlySet<string>, wanted: ReadonlyArray<string>): string | null => {
  if (holds.has(everything)) return null
  const full = new Set<string>(resolveCapabilities(holds))
  return wanted.find(id => !(id.endsWith('.all') ? holds : full).has(id)) ?? null
}

const sameResource = (id: string): ReadonlyArray<string> =>
  capabilities.filter(one => one.startsWith(`${id.slice(0, id.indexOf('.'))}.`))

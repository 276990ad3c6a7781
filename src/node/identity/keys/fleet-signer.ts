import type { KeyObject } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { ed25519Signer } from '#src/adapters/jose.js'
import { type FleetKey, fleetPrefix, type fleetType, type peerType } from '#src/domain/identity/fleet-keys.js'
import { findMintKey, type PrivateKey, townsOf } from '#src/domain/identity/private-keys.js'
import type { Log } from '#src/node/records/log.js'
import type { MintedFleet } from '#src/ports/identity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { type FleetKeySource, privateKeysAt } from './fleet-key.js'

export interface FleetSignerSetup {
  /** The town of this host; empty where it is not in a fleet. */
  readonly town: string
  readonly source: FleetKeySource
  readonly snapshot: () => Snapshot | null
  /** Loads the newest commit, within seconds; the snapshot stays the same where that fails. Never rejects. */
  readonly look: () => Promise<unknown>
  readonly warn: Log['warn']
}

/** The key of this host that signs now, with its published entry and the published epoch. */
export interface SigningKey {
  readonly published: FleetKey
  readonly key: KeyObject
  readonly epoch: number
}

/** Finds the key that signs for the town of this host now; null where there is none. */
export type FindSigningKey = (nowMs: number) => Promise<SigningKey | null>

/** Why none of this host's keys signs for its town. */
const explainUnsigned = (town: string, towns: ReadonlyArray<string>): string => {
  if (towns.length === 0)
    return 'its public half is not published; run `kronika keys rotate --repo DIR --town TOWN`'
  if (towns.includes(town))
    return (
      `its key published for ${town} has ended, or ends before a token would; ` +
      `run \`kronika keys rotate --repo DIR --town ${town}\``
    )
  const self = town === '' ? 'of no town' : town
  return (
    `its public half is published for ${towns.join(', ')}, and this host is ${self}: ` +
    'use the published --town with serve, or rotate for this one'
  )
}

/**
 * Finds the key that ends first, of this host's keys whose public half the served commit publishes for its
 * town (docs/spec/fleet-keys.md#rotate). Reads the key at each call, so that a rotated key is used at once;
 * where the served commit does not publish it yet, loads the newest commit first, because a rotation commits
 * beside this host. Logs once why a key that is there does not sign.
 */
export const fleetSigner = ({ town, source, snapshot, look, warn }: FleetSignerSetup): FindSigningKey => {
  let told: string | null = null
  const findNone = (reason: string | null): null => {
    if (reason !== null && reason !== told) warn('fleet_tokens_off', { key: source.name, reason })
    told = reason
    return null
  }
  const findIn = (
    held: ReadonlyArray<PrivateKey>,
    { fleetKeys }: Snapshot,
    nowMs: number,
  ): SigningKey | null => {
    const minting = findMintKey({ town, held }, fleetKeys, nowMs)
    return minting === null || fleetKeys.epoch === null ? null : { ...minting, epoch: fleetKeys.epoch }
  }
  return async nowMs => {
    const served = snapshot()
    if (served === null) return null
    const held = privateKeysAt(source)
    if (isLeft(held)) return findNone(held.left)
    if (held.right.length === 0) return findNone(null)
    const first = findIn(held.right, served, nowMs)
    if (first === null) await look()
    const newest = snapshot() ?? served
    const signing = first ?? findIn(held.right, newest, nowMs)
    if (signing === null) return findNone(explainUnsigned(town, townsOf(held.right, newest.fleetKeys)))
    told = null
    return signing
  }
}

/** Signs the claims as a token of this type. */
export const signFleetToken = async (
  { published, key }: SigningKey,
  typ: typeof fleetType | typeof peerType,
  claims: { readonly exp: number },
): Promise<MintedFleet> => {
  const jws = await ed25519Signer(key)({ typ, kid: published.kid }, claims)
  return { token: `${fleetPrefix}${jws}`, expiresMs: claims.exp * 1000 }
}

import { isLeft } from 'fp-ts/lib/Either.js'
import type { Mode } from '#protocol/discovery/mode.js'
import { ed25519Signer } from '#src/adapters/jose.js'
import { fleetClaims, fleetPrefix, fleetType } from '#src/domain/identity/tokens/fleet-token.js'
import { findMintKey, type PrivateKey, townsOf } from '#src/domain/identity/tokens/private-keys.js'
import type { Log } from '#src/node/records/log.js'
import type { MintFleet } from '#src/ports/identity/logins.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { type FleetKeySource, privateKeysAt } from './fleet-key.js'

export interface FleetMintSetup {
  /** The town of this host; empty where it is not in a fleet. */
  readonly town: string
  readonly source: FleetKeySource
  readonly snapshot: () => Snapshot | null
  /** Loads the newest commit, within seconds; the snapshot stays the same where that fails. Never rejects. */
  readonly look: () => Promise<unknown>
  readonly mode: () => Mode
  readonly warn: Log['warn']
}

/** Why none of this host's keys signs for its town. */
const explainUnsigned = (town: string, towns: ReadonlyArray<string>): string => {
  if (towns.length === 0) return 'its public half is not published; run `kronika keys rotate`'
  if (towns.includes(town))
    return `its key published for ${town} has ended, or ends before a token would; run \`kronika keys rotate\``
  const self = town === '' ? 'of no town' : town
  return (
    `its public half is published for ${towns.join(', ')}, and this host is ${self}: ` +
    'use the published --town with serve, or rotate for this one'
  )
}

/**
 * Mints fleet tokens (A 4.3). Signs with the key that ends first, of this host's keys whose public half the
 * served commit publishes for its town (docs/spec/fleet-keys.md#rotate). Mints none in mode ReadOnly. Reads
 * the key for each sign-in, so that a rotated key is used at once; where the served commit does not publish
 * it yet, loads the newest commit first, because a rotation commits beside this host.
 */
export const fleetMint = ({ town, source, snapshot, look, mode, warn }: FleetMintSetup): MintFleet => {
  let told: string | null = null
  const mintNone = (reason: string | null): null => {
    if (reason !== null && reason !== told) warn('fleet_tokens_off', { key: source.name, reason })
    told = reason
    return null
  }
  const findSigningKey = (held: ReadonlyArray<PrivateKey>, { fleetKeys }: Snapshot, nowMs: number) => {
    const minting = findMintKey({ town, held }, fleetKeys, nowMs)
    return minting === null || fleetKeys.epoch === null ? null : { ...minting, epoch: fleetKeys.epoch }
  }
  return async (who, nowMs) => {
    const served = snapshot()
    if (served === null || mode() === 'ReadOnly') return null
    const held = privateKeysAt(source)
    if (isLeft(held)) return mintNone(held.left)
    if (held.right.length === 0) return mintNone(null)
    const first = findSigningKey(held.right, served, nowMs)
    if (first === null) await look()
    const newest = snapshot() ?? served
    const minting = first ?? findSigningKey(held.right, newest, nowMs)
    if (minting === null) return mintNone(explainUnsigned(town, townsOf(held.right, newest.fleetKeys)))
    told = null
    const { published, key, epoch } = minting
    const claims = fleetClaims(who, published, epoch, nowMs)
    const jws = await ed25519Signer(key)({ typ: fleetType, kid: published.kid }, claims)
    return { token: `${fleetPrefix}${jws}`, expiresMs: claims.exp * 1000 }
  }
}

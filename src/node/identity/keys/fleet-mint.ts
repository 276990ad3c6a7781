import { isLeft } from 'fp-ts/lib/Either.js'
import type { Mode } from '#protocol/discovery/mode.js'
import { ed25519Signer } from '#src/adapters/jose.js'
import { fleetClaims, fleetPrefix, fleetType } from '#src/domain/identity/tokens/fleet-token.js'
import { mintingKey, type PrivateKey, townsOf } from '#src/domain/identity/tokens/private-keys.js'
import type { Log } from '#src/node/records/log.js'
import type { MintFleet } from '#src/ports/identity/logins.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { type FleetKeySource, privateKeysAt } from './fleet-key.js'

export interface FleetMintSetup {
  /** Of this host; empty off the fleet. */
  readonly town: string
  readonly source: FleetKeySource
  readonly snapshot: () => Snapshot | null
  /** Has the newest commit loaded, within seconds; the snapshot stays as it is where that fails. Never rejects. */
  readonly look: () => Promise<unknown>
  readonly mode: () => Mode
  readonly warn: Log['warn']
}

/** Why none of the keys that this host holds signs for its town. */
const explainUnsigned = (town: string, towns: ReadonlyArray<string>): string => {
  if (towns.length === 0) return 'its public half is not published: run `kronika keys rotate`'
  if (towns.includes(town))
    return `its key that is published for ${town} has ended, or ends before a token would: run \`kronika keys rotate\``
  const self = town === '' ? 'of no town' : town
  return (
    `its public half is published for ${towns.join(', ')}, and this host is ${self}: ` +
    'serve with the --town that is published, or rotate for this one'
  )
}

/**
 * Mints fleet tokens (A 4.3). Of the keys of this host whose public half is published for its town in the served
 * commit, the one that ends first signs (docs/spec/fleet-keys.md#rotate). None are minted in the mode
 * ReadOnly. The key is read for each sign-in, so one that was rotated in is taken up; where the served commit
 * does not have it yet, the newest one is loaded first, for a rotation commits beside this host.
 */
export const fleetMint = ({ town, source, snapshot, look, mode, warn }: FleetMintSetup): MintFleet => {
  let told: string | null = null
  const mintNone = (reason: string | null): null => {
    if (reason !== null && reason !== told) warn('fleet_tokens_off', { key: source.name, reason })
    told = reason
    return null
  }
  const findSigningKey = (held: ReadonlyArray<PrivateKey>, { fleetKeys }: Snapshot, nowMs: number) => {
    const minting = mintingKey({ town, held }, fleetKeys, nowMs)
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

import { isLeft } from 'fp-ts/lib/Either.js'
import type { Mode } from '#protocol/discovery/mode.js'
import { ed25519Signer } from '#src/adapters/jose.js'
import type { Log } from '#src/boot/records/log.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import { fleetClaims, fleetPrefix, fleetType } from '#src/identity/tokens/fleet-token.js'
import { mintingKey, townsOf } from '#src/identity/tokens/private-keys.js'
import type { MintFleet } from '#src/ports/logins.js'
import { type FleetKeySource, privateKeysAt } from './fleet-key.js'

export interface FleetMintSetup {
  /** Of this host; empty off the fleet. */
  readonly town: string
  readonly source: FleetKeySource
  readonly snapshot: () => Snapshot | null
  readonly mode: () => Mode
  readonly warn: Log['warn']
}

const unpublished = (town: string, others: ReadonlyArray<string>): string =>
  others.length === 0
    ? 'its public half is not published: run `kronika keys rotate`'
    : `its public half is published for ${others.join(', ')}, and this host is ${town === '' ? 'of no town' : town}: ` +
      'serve with the --town that is published, or rotate for this one'

/**
 * Mints fleet tokens (A 4.3). Of the keys of this host whose public half is published for its town in the served
 * commit, the one that ends first signs (ADR 0177). None are minted in the mode ReadOnly. The key is read anew for each
 * sign-in, so one that was rotated in is taken up.
 */
export const fleetMint = ({ town, source, snapshot, mode, warn }: FleetMintSetup): MintFleet => {
  let told: string | null = null
  const without = (reason: string | null): null => {
    if (reason !== null && reason !== told) warn('fleet_tokens_off', { key: source.name, reason })
    told = reason
    return null
  }
  return async (who, nowMs) => {
    const served = snapshot()
    if (served === null || mode() === 'ReadOnly') return null
    const held = privateKeysAt(source)
    if (isLeft(held)) return without(held.left)
    if (held.right.length === 0) return without(null)
    const { fleetKeys } = served
    const signing = mintingKey({ town, held: held.right }, fleetKeys, nowMs)
    if (signing === null || fleetKeys.epoch === null)
      return without(unpublished(town, townsOf(held.right, fleetKeys)))
    told = null
    const { published, key } = signing
    const claims = fleetClaims(who, published, fleetKeys.epoch, nowMs)
    const jws = await ed25519Signer(key)({ typ: fleetType, kid: published.kid }, claims)
    return { token: `${fleetPrefix}${jws}`, expiresMs: claims.exp * 1000 }
  }
}

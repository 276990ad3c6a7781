import type { Snapshot } from '#src/corpus/snapshot.js'
import type { Caller } from '#src/identity/caller.js'
import { signedInCaller } from '#src/identity/rights/signed-in-caller.js'
import { type FleetKeys, publicKeyOf } from '#src/identity/tokens/fleet-keys.js'
import { type FleetToken, fleetPrefix, isInTime, readFleetToken } from '#src/identity/tokens/fleet-token.js'
import { tokenHash } from '#src/identity/tokens/machine-token.js'
import type { VerifyJws } from '#src/ports/jws.js'
import type { Resolve } from './authenticate.js'

/** Tokens whose signature was verified under the keys as published, by hash. */
type Verified = Map<string, FleetToken>

/** Some 3 MB. The oldest goes first: all live equally long. */
const verifiedMax = 10_000

const remember = (verified: Verified, hash: string, token: FleetToken): void => {
  const oldest = verified.size < verifiedMax ? undefined : verified.keys().next().value
  if (oldest !== undefined) verified.delete(oldest)
  verified.set(hash, token)
}

const callerOf = (token: FleetToken | null, snapshot: Snapshot, nowMs: number): Caller | null =>
  token !== null && isInTime(token, nowMs) ? signedInCaller('fleet', token, snapshot) : null

/**
 * Callers behind `fsess_` tokens (A 4.3). A signature is verified once: it is remembered by the SHA-256 of its token
 * until the published keys change or it is forgotten for others. Time, and the rights of whom it names, are looked at
 * with every request.
 */
export const fleetResolver = (verify: VerifyJws): Resolve => {
  const underKeys = new WeakMap<FleetKeys, Verified>()

  const read = async (compact: string, keys: FleetKeys, nowMs: number): Promise<FleetToken | null> => {
    const token = readFleetToken(compact, keys)
    if (token._tag === 'Left' || !isInTime(token.right, nowMs)) return null
    const key = publicKeyOf(token.right.key)
    return key !== null && (await verify(compact, { alg: 'EdDSA', key })) ? token.right : null
  }

  return (token, snapshot, nowMs) => {
    if (snapshot === null) return null
    const keys = snapshot.fleetKeys
    const verified: Verified = underKeys.get(keys) ?? new Map<string, FleetToken>()
    underKeys.set(keys, verified)
    const hash = tokenHash(token).toString('base64url')
    const known = verified.get(hash)
    if (known !== undefined) return callerOf(known, snapshot, nowMs)
    return read(token.slice(fleetPrefix.length), keys, nowMs).then(fresh => {
      if (fresh !== null) remember(verified, hash, fresh)
      return callerOf(fresh, snapshot, nowMs)
    })
  }
}

import type { Snapshot } from '#src/corpus/snapshot.js'
import type { Caller } from '#src/identity/caller.js'
import { signedInCaller } from '#src/identity/rights/signed-in-caller.js'
import { type FleetKeys, publicKeyOf } from '#src/identity/tokens/fleet-keys.js'
import { type FleetToken, fleetPrefix, isInTime, readFleetToken } from '#src/identity/tokens/fleet-token.js'
import { type Kept, rightOf } from '#src/identity/tokens/kept-token.js'
import { tokenHash } from '#src/identity/tokens/machine-token.js'
import { perValue } from '#src/lore/per-value.js'
import type { VerifyJws } from '#src/ports/jws.js'
import type { Resolve } from './authenticate.js'

/** Tokens whose signature was verified under the keys as published. */
interface Memory {
  readonly known: (token: string) => FleetToken | null
  readonly remember: (token: string, right: FleetToken) => void
}

/** Some 3 MB. The oldest goes first: all live equally long. */
const verifiedMax = 10_000

const openMemory = (): Memory => {
  const kept = new Map<string, Kept<FleetToken>>()
  return {
    known: rightOf(hash => kept.get(hash) ?? null),
    remember: (token, right) => {
      const oldest = kept.size < verifiedMax ? undefined : kept.keys().next().value
      if (oldest !== undefined) kept.delete(oldest)
      const hash = tokenHash(token)
      kept.set(hash.toString('hex'), { hash, right })
    },
  }
}

const callerOf = (token: FleetToken | null, snapshot: Snapshot, nowMs: number): Caller | null =>
  token !== null && isInTime(token, nowMs) ? signedInCaller('fleet', token, snapshot) : null

/**
 * Callers behind `fsess_` tokens (A 4.3). A signature is verified once: it is remembered by the SHA-256 of its token
 * until the published keys change or it is forgotten for others. Time, and the rights of whom it names, are looked at
 * with every request.
 */
export const fleetResolver = (verify: VerifyJws): Resolve => {
  const memoryOf = perValue((_: FleetKeys): Memory => openMemory())

  const read = async (compact: string, keys: FleetKeys, nowMs: number): Promise<FleetToken | null> => {
    const token = readFleetToken(compact, keys)
    if (token._tag === 'Left' || !isInTime(token.right, nowMs)) return null
    const key = publicKeyOf(token.right.key)
    return key !== null && (await verify(compact, { alg: 'EdDSA', key })) ? token.right : null
  }

  return (token, snapshot, nowMs) => {
    if (snapshot === null) return null
    const keys = snapshot.fleetKeys
    const { known, remember } = memoryOf(keys)
    const before = known(token)
    if (before !== null) return callerOf(before, snapshot, nowMs)
    return read(token.slice(fleetPrefix.length), keys, nowMs).then(fresh => {
      if (fresh !== null) remember(token, fresh)
      return callerOf(fresh, snapshot, nowMs)
    })
  }
}

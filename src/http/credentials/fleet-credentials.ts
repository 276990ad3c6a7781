import { isLeft } from 'fp-ts/lib/Either.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { callerOfTown, topologyPath } from '#src/domain/fleet/topology.js'
import { callerOfSignIn } from '#src/domain/identity/callers.js'
import {
  type FleetKey,
  type FleetKeys,
  type FleetToken,
  fleetPrefix,
  isInTime,
  publicKeyOf,
  readFleetToken,
} from '#src/domain/identity/fleet-keys.js'
import { rightOf, type TokenRecord, tokenHash } from '#src/domain/identity/tokens.js'
import type { VerifyJws } from '#src/ports/identity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Resolve } from './authenticate.js'

/** A token whose signature is verified, with the keys that it was last read against. */
interface Verified {
  readonly token: FleetToken
  readonly keys: FleetKeys
}

interface VerifiedTokens {
  readonly find: (token: string) => Verified | null
  readonly remember: (token: string, right: Verified) => void
}

/** About 3 MB. The oldest is dropped first: all have the same lifetime. */
const verifiedMax = 10_000

const openVerifiedTokens = (): VerifiedTokens => {
  const kept = new Map<string, TokenRecord<Verified>>()
  return {
    find: rightOf(hash => kept.get(hash) ?? null),
    remember: (token, right) => {
      const hash = tokenHash(token)
      const hex = hash.toString('hex')
      const isFull = kept.size >= verifiedMax && !kept.has(hex)
      const oldest = isFull ? kept.keys().next().value : undefined
      if (oldest !== undefined) kept.delete(oldest)
      kept.set(hex, { hash, right })
    },
  }
}

const callerOf = (token: FleetToken, snapshot: Snapshot, nowMs: number): Caller | null => {
  if (!isInTime(token, nowMs)) return null
  const { holder, key } = token
  return holder._tag === 'Person'
    ? callerOfSignIn('fleet', holder, snapshot)
    : callerOfTown(key, snapshot.files.get(topologyPath) ?? null)
}

/** Whether both keys verify the same signatures; their algorithm is the same. */
const isSameKey = (one: FleetKey, other: FleetKey): boolean => one.jwk.x === other.jwk.x

/**
 * Resolves `fsess_` tokens, of persons (A 4.3) and of towns (D49). A verified signature is cached by the
 * SHA-256 of its token until others displace it. When the published keys change, the token is read against
 * them again, and verified again where its `kid` names another key. Expiry, and the rights of the person or
 * town, are checked at every request.
 */
export const fleetResolver = (verify: VerifyJws): Resolve => {
  const { find, remember } = openVerifiedTokens()

  const verifySignature = async (compact: string, token: FleetToken): Promise<boolean> => {
    const key = publicKeyOf(token.key)
    return key !== null && (await verify(compact, { alg: 'EdDSA', key }))
  }

  return (token, snapshot, nowMs) => {
    if (snapshot === null) return null
    const keys = snapshot.fleetKeys
    const before = find(token)
    if (before !== null && before.keys === keys) return callerOf(before.token, snapshot, nowMs)
    const compact = token.slice(fleetPrefix.length)
    const read = readFleetToken(compact, keys)
    if (isLeft(read) || !isInTime(read.right, nowMs)) return null
    const right = { token: read.right, keys }
    if (before !== null && isSameKey(before.token.key, right.token.key)) {
      remember(token, right)
      return callerOf(right.token, snapshot, nowMs)
    }
    return verifySignature(compact, right.token).then(isGood => {
      if (!isGood) return null
      remember(token, right)
      return callerOf(right.token, snapshot, nowMs)
    })
  }
}

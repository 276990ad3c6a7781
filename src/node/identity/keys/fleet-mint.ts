import type { Mode } from '#protocol/discovery.js'
import { fleetClaims, fleetType, peerClaims, peerType } from '#src/domain/identity/fleet-keys.js'
import type { MintFleet, MintPeer } from '#src/ports/identity.js'
import { type FindSigningKey, signFleetToken } from './fleet-signer.js'

/** Mints fleet tokens (A 4.3); none in mode ReadOnly, and none without a key that signs. */
export const fleetMint =
  (findSigningKey: FindSigningKey, mode: () => Mode): MintFleet =>
  async (who, nowMs) => {
    if (mode() === 'ReadOnly') return null
    const signing = await findSigningKey(nowMs)
    if (signing === null) return null
    return signFleetToken(signing, fleetType, fleetClaims(who, signing.published, signing.epoch, nowMs))
  }

/** Mints peer tokens (D49), in every mode, because a replica is ReadOnly; none without a key that signs. */
export const peerMint =
  (findSigningKey: FindSigningKey): MintPeer =>
  async nowMs => {
    const signing = await findSigningKey(nowMs)
    if (signing === null) return null
    const { token } = await signFleetToken(
      signing,
      peerType,
      peerClaims(signing.published, signing.epoch, nowMs),
    )
    return token
  }

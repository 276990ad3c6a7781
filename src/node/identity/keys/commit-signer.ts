import { isLeft, right } from 'fp-ts/lib/Either.js'
import { signatureTrailer } from '#src/domain/identity/fleet-keys.js'
import { findMintKey } from '#src/domain/identity/private-keys.js'
import type { Landing, SignCommit } from '#src/ports/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { type FleetKeySource, privateKeysAt } from './fleet-key.js'

export interface CommitSignerSetup {
  /** The town of this host; empty where it is not in a fleet. */
  readonly town: string
  readonly source: FleetKeySource
  readonly snapshot: () => Snapshot | null
}

/** The signer for commits made now; null where the host has no town, or no key published for it. */
const signerNow = ({ town, source, snapshot }: CommitSignerSetup, atMs: number): SignCommit | null => {
  const served = town === '' ? null : snapshot()
  if (served === null) return null
  const held = privateKeysAt(source)
  const signing = isLeft(held) ? null : findMintKey({ town, held: held.right }, served.fleetKeys, atMs)
  if (signing === null) return null
  const { published, key } = signing
  return commit => signatureTrailer(commit, published.kid, key)
}

/**
 * Wraps a landing so that its commits are signed with the key that also signs fleet tokens. Reads the key for
 * each batch, so that a rotated key is used at once. Without a key the commits are unsigned.
 */
export const signLanding = <L extends Landing>(landing: L, setup: CommitSignerSetup): L => ({
  ...landing,
  open: async (base, superseded) => {
    const opened = await landing.open(base, superseded)
    if (isLeft(opened)) return opened
    const session = opened.right
    return right({
      ...session,
      commit: batch => {
        const sign = signerNow(setup, batch.atMs)
        return session.commit(sign === null ? batch : { ...batch, sign })
      },
    })
  },
})

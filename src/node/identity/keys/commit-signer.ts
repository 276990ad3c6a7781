import { isLeft, right } from 'fp-ts/lib/Either.js'
import { signatureTrailer } from '#src/domain/identity/tokens/commit-signature.js'
import { mintingKey } from '#src/domain/identity/tokens/private-keys.js'
import type { Landing, SignCommit } from '#src/ports/git/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { type FleetKeySource, privateKeysAt } from './fleet-key.js'

export interface CommitSignerSetup {
  /** Of this host; empty off the fleet. */
  readonly town: string
  readonly source: FleetKeySource
  readonly snapshot: () => Snapshot | null
}

/** How commits of this moment are signed; null where the host has no town, or no key that is published for it. */
const signerNow = ({ town, source, snapshot }: CommitSignerSetup, atMs: number): SignCommit | null => {
  const served = town === '' ? null : snapshot()
  if (served === null) return null
  const held = privateKeysAt(source)
  const signing = isLeft(held) ? null : mintingKey({ town, held: held.right }, served.fleetKeys, atMs)
  if (signing === null) return null
  const { published, key } = signing
  return commit => signatureTrailer(commit, published.kid, key)
}

/**
 * A landing whose commits carry the signature of this host, by the key that it mints fleet tokens with. The key is read
 * anew for each batch, so one that was rotated in is taken up. Without a key the commits go unsigned.
 */
export const signingLanding = <L extends Landing>(landing: L, setup: CommitSignerSetup): L => ({
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

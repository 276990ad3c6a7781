import type { CommitId } from '#protocol/atoms.js'
import {
  type CommitSignature,
  type FleetKey,
  type FleetKeys,
  isKeyOfTime,
  isSignedWith,
  signatureIn,
} from '#src/domain/identity/credentials/fleet-keys.js'

/** The origin that a commit claims, and the bytes that may prove it. */
export interface ClaimedCommit {
  readonly id: CommitId
  readonly committedMs: number
  readonly trailers: { readonly intent: string | null }
  /** The bytes of the commit object. */
  readonly bytes: Buffer
}

/** Finds the commit of an intent of this host; null when it has no intent of this id. */
export type FindIntent = (id: string) => { readonly commit: CommitId } | null

/** Whether the trailers of a commit are true: this host made the commit, or a published key signed it. */
export type IsVerified = (commit: ClaimedCommit, keys: FleetKeys) => boolean

/**
 * Verifies the trailers of commits (see `docs/spec/audit.md#verified`). A commit never changes, so each
 * signature is checked once per key and the result is cached; which keys are published, and until when, is
 * checked each time.
 */
export const commitVerifier = (
  find: FindIntent,
  tried: (commit: CommitId) => void = () => undefined,
): IsVerified => {
  const known = new Map<CommitId, Verdict>()

  const remember = (commit: CommitId, verdict: Verdict): void => {
    const oldest = known.size >= knownMax && !known.has(commit) ? known.keys().next().value : undefined
    if (oldest !== undefined) known.delete(oldest)
    known.set(commit, verdict)
  }

  const isSigned = (id: CommitId, signature: CommitSignature, key: FleetKey): boolean => {
    const before = known.get(id)
    if (before?.x === key.jwk.x) return before.isGood
    tried(id)
    const isGood = isSignedWith(signature, key)
    remember(id, { x: key.jwk.x, isGood })
    return isGood
  }

  return (commit, { byKid }) => {
    const { id, trailers, bytes, committedMs } = commit
    if (trailers.intent !== null && find(trailers.intent)?.commit === id) return true
    const signature = signatureIn(bytes)
    const key = signature === null ? undefined : byKid.get(signature.kid)
    if (signature === null || key === undefined) return false
    return isKeyOfTime(key, committedMs) && isSigned(id, signature, key)
  }
}

/** About 2 MB. The oldest entry is removed first. */
const knownMax = 10_000

interface Verdict {
  /** The public half with which the signature was checked. */
  readonly x: string
  readonly isGood: boolean
}

import type { CommitId } from '#protocol/atoms/commit.js'
import {
  type CommitSignature,
  isKeyOfTime,
  isSignedWith,
  signatureIn,
} from '#src/domain/identity/tokens/commit-signature.js'
import type { FleetKey, FleetKeys } from '#src/domain/identity/tokens/fleet-keys.js'

/** What a commit says of its origin, and what may prove it. */
export interface ClaimedRight {
  readonly id: CommitId
  readonly committedMs: number
  readonly trailers: { readonly intent: string | null }
  /** The bytes of the commit object. */
  readonly bytes: Buffer
}

/** The commit of an intent of this host; null where it has none of this id. */
export type FindIntent = (id: string) => { readonly commit: CommitId } | null

/** Whether the trailers of a commit are true: this host made it, or one of the published keys signed it. */
export type IsVerified = (commit: ClaimedRight, keys: FleetKeys) => boolean

/** Some 2 MB. The oldest goes first. */
const knownMax = 10_000

interface Verdict {
  /** The public half that the signature was tried with. */
  readonly x: string
  readonly isGood: boolean
}

/**
 * Verifies the trailers of commits (see `docs/spec/audit.md#verified`). A commit never changes, so its signature is
 * tried once with each key, and remembered; which keys are published, and until when, is looked at each time.
 */
export const verifiedCommits = (
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

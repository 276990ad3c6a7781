import { randomBytes } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { diskRefusal } from '#src/adapters/landing/disk.js'
import { claimHash, isClaimCode, nonceBytes, sealKey, unsealKey } from '#src/domain/identity/claim-code.js'
import { tokenHash } from '#src/domain/identity/tokens.js'
import type { ApiKeyDesk, ClaimStore } from '#src/ports/identity.js'

/** How long a key waits to be claimed (D39). */
export const claimTtlMs = 24 * 60 * 60 * 1000

const secretBytes = 32

/** Returns the answer of the store, or the refusal of the disk; throws any other fault. */
const fromDisk = <A>(work: () => A): Either<RefusalOf<'DiskRefused'>, A> => {
  try {
    return right(work())
  } catch (error) {
    const reason = diskRefusal(error)
    if (reason === null) throw error
    return left(refuse('DiskRefused', `The disk refuses writes (${reason}). Fix the disk, then try again.`))
  }
}

/** The api keys of this host. Key and code are independent random values, and neither is stored (D39). */
export const apiKeyDesk = (claims: ClaimStore): ApiKeyDesk => ({
  mint: (gameId, nowMs) => {
    const key = `apik_${randomBytes(secretBytes).toString('base64url')}`
    const code = randomBytes(secretBytes).toString('hex')
    const sealed = sealKey(key, code, gameId, randomBytes(nonceBytes))
    const expiresMs = nowMs + claimTtlMs
    const kept = fromDisk(() => claims.keep({ ...sealed, gameId, expiresMs }, nowMs))
    return isLeft(kept) ? kept : right({ hash: tokenHash(key).toString('hex'), code, expiresMs })
  },
  withdraw: code => {
    // A claim that cannot be deleted now is deleted when it expires, and its hash is committed nowhere.
    fromDisk(() => claims.drop(claimHash(code)))
  },
  claim: (code, nowMs) => {
    if (!isClaimCode(code)) return right(null)
    const taken = fromDisk(() => claims.take(claimHash(code), nowMs))
    if (isLeft(taken)) return taken
    if (taken.right === null) return right(null)
    const { sealed, gameId } = taken.right
    const key = unsealKey(sealed, code, gameId)
    return right(key === null ? null : { key, gameId })
  },
})

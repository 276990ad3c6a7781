import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { refuse } from '#protocol/refusal.js'
import type { apiKeyRoutes } from '#protocol/sign-in.js'
import type { Handlers } from '#src/http/routing/handler.js'
import { issuePlan, noHash } from '#src/writing/identity/links.js'
import type { ApiKeysDeps } from './identity-deps.js'

/** Api keys (A 4.3, D38, D39). */
export const apiKeysHandlers: Handlers<typeof apiKeyRoutes, ApiKeysDeps> = {
  'apiKeys.issue': ({ body: { gameId }, caller, node, snapshot, dryRun, nowMs }) => {
    const first = issuePlan(gameId, noHash, caller, () => null)(snapshot)
    if (isLeft(first)) return first
    if (dryRun) return right({ prepared: null })
    // The claim is on disk before the commit: a crash between the two leaves a key that no store knows
    // (ADR 1020).
    const minted = node.apiKeys.mint(gameId, nowMs)
    if (isLeft(minted)) return minted
    return right({
      prepared: minted.right,
      settled: stands => {
        if (!stands) node.apiKeys.withdraw(minted.right.code)
      },
    })
  },
  'apiKeys.claim': ({ path, node, nowMs }) => {
    const claimed = node.apiKeys.claim(path.sha, nowMs)
    if (isLeft(claimed)) return claimed
    return claimed.right === null
      ? left(
          refuse(
            'ClaimNotFound',
            'The code was used, has expired, or is not a code of this host. POST /api-keys makes another.',
          ),
        )
      : right({ body: claimed.right })
  },
}

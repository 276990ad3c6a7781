import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms/instant.js'
import type { ApiKeyAnswer } from '#protocol/identity/api-key.js'
import type { apiKeyRoutes } from '#protocol/identity/api-key-routes.js'
import { refuse } from '#protocol/refusal.js'
import type { CallersPlan, Handlers } from '#src/http/routing/handler.js'
import { type Issued, type IssueRefusal, issuePlan, noHash } from '#src/writing/identity/issue-api-key.js'
import type { ApiKeysDeps } from './identity-deps.js'

const previewed =
  (gameId: string) =>
  (issued: Issued): ApiKeyAnswer => ({
    wouldIssue: gameId,
    ...issued,
    diff: '',
  })

/** Api keys (A 4.3, D38, D39). */
export const apiKeysHandlers: Handlers<typeof apiKeyRoutes, ApiKeysDeps> = {
  'apiKeys.issue': ({ body: { gameId }, caller, node, snapshot, dryRun, nowMs }) => {
    const planned =
      <A>(hash: string, answer: (issued: Issued) => A): CallersPlan<A, IssueRefusal> =>
      (at, _nowMs, asker) =>
        issuePlan(gameId, hash, asker, answer)(at)
    const preview = planned(noHash, previewed(gameId))
    const first = preview(snapshot, nowMs, caller)
    if (isLeft(first)) return first
    if (dryRun) return right({ plan: preview })
    // The claim is on disk before the commit: a crash between them leaves a key that no store knows (ADR 0199).
    const minted = node.apiKeys.mint(gameId, nowMs)
    if (isLeft(minted)) return minted
    const { hash, code, expiresMs } = minted.right
    const told = (issued: Issued): ApiKeyAnswer => ({
      issued: gameId,
      ...issued,
      claim: code,
      expires: instantOf(expiresMs),
    })
    return right({
      plan: planned(hash, told),
      settled: stands => {
        if (!stands) node.apiKeys.withdraw(code)
      },
    })
  },
  'apiKeys.claim': ({ path, node, nowMs }) => {
    const claimed = node.apiKeys.claim(path.sha, nowMs)
    if (isLeft(claimed)) return claimed
    return claimed.right === null
      ? left(refuse('ClaimNotFound', 'The code was used, has expired, or was never given out on this host.'))
      : right({ body: claimed.right })
  },
}

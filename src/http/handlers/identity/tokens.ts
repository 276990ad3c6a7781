import { isLeft, right } from 'fp-ts/lib/Either.js'
import type { tokenRoutes } from '#protocol/sign-in.js'
import { actorOf } from '#src/http/checks/origin.js'
import {
  instantOrNull,
  listNamedTokens,
  mintNamedToken,
  planNamedToken,
  revokeNamedToken,
} from '#src/http/credentials/token-desk.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { TokensDeps } from './identity-deps.js'

/**
 * Named tokens of this host (A 4.3). They are its own records, not lore, so these handlers answer without a
 * plan.
 */
export const tokensHandlers: Handlers<typeof tokenRoutes, TokensDeps> = {
  'tokens.mint': ({ body, caller, node, dryRun, nowMs }) => {
    const wanted = planNamedToken(body, { ...actorOf(caller), holds: caller.holds }, nowMs)
    if (isLeft(wanted)) return wanted
    if (dryRun) {
      const { name: wouldMint, capabilities, expiresMs } = wanted.right
      return right({ body: { wouldMint, capabilities, expires: instantOrNull(expiresMs) }, status: 200 })
    }
    const minted = mintNamedToken(node.namedTokens, wanted.right, nowMs)
    return isLeft(minted) ? minted : right({ body: minted.right })
  },
  'tokens.list': ({ node, nowMs }) => right({ body: listNamedTokens(node.namedTokens, nowMs) }),
  'tokens.revoke': ({ path, caller, node, dryRun, nowMs }) => {
    const revoked = revokeNamedToken(node.namedTokens, path.id, actorOf(caller), nowMs, dryRun)
    return isLeft(revoked) ? revoked : right({ body: revoked.right })
  },
}

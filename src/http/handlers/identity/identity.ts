import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { AssignByChat } from '#protocol/chat/platform.js'
import type { workflowRoutes } from '#protocol/chat/workflows.js'
import type { identityRoutes } from '#protocol/identity/identity.js'
import type { apiKeyRoutes, tokenRoutes } from '#protocol/identity/sign-in.js'
import { refuse } from '#protocol/refusal.js'
import { selfReport } from '#src/domain/identity/announcements.js'
import { canDecideFromCache, chatRolesOf, pickPeople } from '#src/domain/identity/bindings.js'
import { identitiesOf, visibleIdentity } from '#src/domain/identity/callers.js'
import { resolveCapabilities } from '#src/domain/identity/grade.js'
import { guildRefused, refusePlayer } from '#src/domain/identity/player-refusals.js'
import { rosterAt } from '#src/http/answers/cast.js'
import { actorOf } from '#src/http/checks/arrival.js'
import {
  instantOrNull,
  listNamedTokens,
  mintNamedToken,
  planNamedToken,
  revokeNamedToken,
} from '#src/http/credentials/authenticate.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { IdentityPorts } from '#src/ports/identity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { issuePlan, noHash, registrationOf } from '#src/writing/identity/links.js'

/** Api keys (A 4.3, D38, D39). */
export const apiKeysHandlers: Handlers<typeof apiKeyRoutes, Pick<IdentityPorts, 'apiKeys'>> = {
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
      settled: outcome => {
        if (isLeft(outcome)) node.apiKeys.withdraw(minted.right.code)
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

export const chatWorkflowsHandlers: Handlers<
  typeof workflowRoutes,
  Pick<IdentityPorts, 'chat' | 'guildRoles'>
> = {
  'workflows.registerByChat': ({ body, node }) => {
    if (node.chat.guildId === '') return left(refusePlayer('registration_disabled'))
    const registration = registrationOf(body)
    if (isLeft(registration)) return registration
    const refusal = guildRefused(body.guildId, node.chat.guildId)
    return refusal === null ? right({ prepared: null }) : left(refusal)
  },
  'workflows.getWhoamiByChat': ({ body, snapshot, node }) =>
    right({ body: selfReport(snapshot, node.chat, body) }),
  'workflows.findPeopleByChat': ({ body: { prefix = '' }, snapshot }) =>
    right({ body: pickPeople(rosterAt(snapshot).listed, snapshot.bindings, prefix) }),
  'workflows.assignByChat': async ({ body, snapshot, node }) => {
    const refusal = refuseBeforeAsking(body, node.chat.guildId, snapshot)
    if (refusal !== null) return left(refusal)
    const { roles: held = [] } = body
    const guild = await node.guildRoles(roles => canDecideFromCache(snapshot.people.roles, roles, held))
    return isLeft(guild) ? left(refusePlayer('roles_unreadable')) : right({ prepared: guild.right })
  },
}

export const identityHandlers: Handlers<typeof identityRoutes> = {
  'auth.whoami.get': ({ caller, snapshot }) => {
    const known = caller.gameId === null ? null : identitiesOf(snapshot).byGameId(caller.gameId)
    const capabilities = resolveCapabilities(caller.holds)
    return right({ body: { kind: caller.kind, identity: known?.identity ?? null, capabilities } })
  },
  'identity.get': ({ caller, path, snapshot }) => {
    const known = identitiesOf(snapshot).byGameId(path.id)
    return known === null
      ? left(refuse('IdentityNotFound', 'The game id is not open today, or several people have it.'))
      : right({ body: visibleIdentity(caller, known.identity) })
  },
  'capabilities.list': ({ caller }) => {
    const capabilities = resolveCapabilities(caller.holds)
    return right({ body: { count: capabilities.length, capabilities } })
  },
}

/**
 * Named tokens of this host (A 4.3). They are its own records, not lore, so these handlers answer without a
 * plan.
 */
export const tokensHandlers: Handlers<typeof tokenRoutes, Pick<IdentityPorts, 'namedTokens'>> = {
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

/** Refuses what can be refused before the guild is asked for its roles; otherwise null. */
const refuseBeforeAsking = (
  { guildId, roles = [] }: AssignByChat,
  configured: string,
  { people }: Snapshot,
) => {
  const outside = configured === '' ? null : guildRefused(guildId, configured)
  if (outside !== null) return outside
  if (chatRolesOf(people.roles).length === 0) return refusePlayer('no_role_declared')
  if (roles.length === 0) return refusePlayer('invoker_has_no_roles')
  return configured === '' ? refusePlayer('roles_unreadable') : null
}

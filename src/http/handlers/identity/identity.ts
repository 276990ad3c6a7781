import { left, right } from 'fp-ts/lib/Either.js'
import type { identityRoutes } from '#protocol/identity.js'
import { refuse } from '#protocol/refusal.js'
import { identitiesOf, visibleIdentity } from '#src/domain/identity/callers.js'
import { resolveCapabilities } from '#src/domain/identity/grade.js'
import type { Handlers } from '#src/http/routing/handler.js'

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

import { right } from 'fp-ts/lib/Either.js'
import type { identityRoutes } from '#protocol/identity/routes.js'
import type { Handlers } from '#src/http/handler.js'
import { resolved } from '#src/identity/rights/grade.js'

export const identity: Handlers<typeof identityRoutes> = {
  'identity.capabilities': ({ caller }) => {
    const capabilities = resolved(caller.holds)
    return right({ body: { count: capabilities.length, capabilities } })
  },
}

import { right } from 'fp-ts/lib/Either.js'
import type { rightsRoutes } from '#protocol/identity/rights-routes.js'
import type { Handlers } from '#src/http/routing/handler.js'
import { grantPlan, revokePlan } from '#src/writing/identity/write-grants.js'

/** Grants and what takes them back (A 4.3, D40): each row only plans. */
export const rightsHandlers: Handlers<typeof rightsRoutes> = {
  'capabilities.grant': ({ body }) =>
    right({
      plan: (snapshot, nowMs, { gracz, kind, holds }) =>
        grantPlan(body, { by: gracz ?? kind, holds })(snapshot, nowMs),
    }),
  'capabilities.revoke': ({ body }) => right({ plan: revokePlan(body) }),
}

import { right } from 'fp-ts/lib/Either.js'
import type { linkRoutes } from '#protocol/identity/link-routes.js'
import type { Handlers } from '#src/http/handler.js'
import { linked } from '#src/identity/links/link.js'

export const links: Handlers<typeof linkRoutes> = {
  'auth.link': ({ body, caller }) =>
    right({
      plan: (snapshot, nowMs) =>
        linked(snapshot, { holds: caller.holds, name: caller.gracz ?? caller.kind }, body, nowMs),
    }),
}

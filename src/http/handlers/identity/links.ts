import { right } from 'fp-ts/lib/Either.js'
import type { linkRoutes } from '#protocol/identity/link-routes.js'
import type { Handlers } from '#src/http/routing/handler.js'
import { linked } from '#src/writing/identity/link.js'

export const linksHandlers: Handlers<typeof linkRoutes> = {
  'auth.link': ({ body }) =>
    right({
      plan: (snapshot, nowMs, { gracz, kind, holds }) =>
        linked(snapshot, { holds, name: gracz ?? kind }, body, nowMs),
    }),
}

import { right } from 'fp-ts/lib/Either.js'
import type { auditRoutes } from '#protocol/audit/routes.js'
import { windowed } from '#protocol/list.js'
import { windowOf } from '#protocol/query.js'
import { notifications } from '#src/audit/notifications.js'
import type { Handlers } from '#src/http/handler.js'

/** What was announced and what was changed (B 4.5). */
export const audit: Handlers<typeof auditRoutes> = {
  'audit.notifications': ({ caller, query, snapshot }) => {
    const list = windowed(notifications(snapshot, query), windowOf(query))
    const items = caller.view.sessions ? list.items : list.items.map(one => ({ ...one, message: null }))
    return right({ body: { ...list, items } })
  },
}

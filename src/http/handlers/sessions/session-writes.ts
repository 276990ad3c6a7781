import { right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { sessionWriteRoutes } from '#protocol/session-writes.js'
import { sessionGraph } from '#src/domain/sessions/entity-history.js'
import type { Handlers } from '#src/http/routing/handler.js'

type Rows = Pick<typeof sessionWriteRoutes, 'sessions.graph.rebuild' | 'sessionRegistry.regenerate'>

/** Rows of sessions that act and are not plain writes (B 4.2). */
export const sessionWritesHandlers: Handlers<Rows> = {
  'sessions.graph.rebuild': ({ snapshot, nowMs }) => {
    const { NodeCount, EdgeCount } = sessionGraph(snapshot.sessions, snapshot.names)
    return right({ body: { rebuiltAt: instantOf(nowMs), NodeCount, EdgeCount } })
  },
  'sessionRegistry.regenerate': ({ query }) =>
    right({
      prepared: null,
      ...(query.async === true ? { job: 'session-registry.regenerate' as const } : {}),
    }),
}

import { right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms/instant.js'
import type { sessionWriteRoutes } from '#protocol/sessions/write-routes.js'
import { type Caller, nameOf } from '#src/domain/callers/caller.js'
import { sessionGraph } from '#src/domain/sessions/graph.js'
import type { Handlers } from '#src/http/routing/handler.js'
import { regenerateRegistry } from '#src/writing/admin/regenerate-registry.js'
import { type Acceptance, hashAll, rebaseline } from '#src/writing/sessions/baselines.js'
import { patchPlan } from '#src/writing/sessions/patch.js'
import { createPlan, openPlan, reportPlan } from '#src/writing/sessions/report/new-session-plans.js'

const byCaller = (caller: Caller, nowMs: number): Acceptance => ({ by: nameOf(caller), nowMs })

/** Writes of sessions (B 4.2): plans for the gate. */
export const sessionWritesHandlers: Handlers<typeof sessionWriteRoutes> = {
  'sessions.graphRebuild': ({ snapshot, nowMs }) => {
    const { NodeCount, EdgeCount } = sessionGraph(snapshot.sessions, snapshot.names)
    return right({ body: { rebuiltAt: instantOf(nowMs), NodeCount, EdgeCount } })
  },
  'sessions.hash': ({ caller }) =>
    right({ plan: (snapshot, nowMs) => right(hashAll(snapshot, byCaller(caller, nowMs))) }),
  'sessions.rebaseline': ({ path }) =>
    right({
      plan: (snapshot, nowMs, caller) =>
        rebaseline(snapshot, path.header, byCaller(caller, nowMs), caller.view),
    }),
  'sessions.create': ({ caller, body }) => right({ plan: createPlan(body, nameOf(caller)) }),
  'sessions.update': ({ path, body }) =>
    right({
      plan: (snapshot, nowMs, caller) =>
        patchPlan(path.header, body, { by: nameOf(caller), view: caller.view })(snapshot, nowMs),
    }),
  'sessions.report': ({ caller, body }) => right({ plan: reportPlan(body, nameOf(caller)) }),
  'workflows.openSession': ({ caller, body }) =>
    right({ plan: openPlan(body, nameOf(caller), caller.gracz) }),
  'sessionRegistry.regenerate': ({ query }) =>
    right({
      plan: snapshot => right(regenerateRegistry(snapshot)),
      ...(query.async === true ? { job: 'session-registry.regenerate' as const } : {}),
    }),
}

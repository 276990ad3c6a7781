import { right } from 'fp-ts/lib/Either.js'
import type { sessionWriteRoutes } from '#protocol/session-writes.js'
import { callerName } from '#src/domain/callers/caller.js'
import { regenerateRegistry } from '../admin/regenerate-registry.js'
import type { Planners } from '../planner.js'
import { acceptAllBaselines, acceptBaseline } from './baselines.js'
import { patchPlan } from './patch.js'
import { createPlan, planOpenSession, reportPlan } from './report/new-session-plans.js'

/** Planners of the session writes (B 4.2). */
export const sessionPlanners: Planners<typeof sessionWriteRoutes> = {
  'sessions.hash': (snapshot, { actor: { name: by }, nowMs }) =>
    right(acceptAllBaselines(snapshot, { by, nowMs })),
  'sessions.rebaseline': (snapshot, { path, caller, nowMs }) =>
    acceptBaseline(snapshot, path.header, { by: callerName(caller), nowMs }, caller.view),
  'sessions.create': (snapshot, { actor, body, nowMs }) => createPlan(body, actor.name)(snapshot, nowMs),
  'sessions.update': (snapshot, { path, body, caller, nowMs }) =>
    patchPlan(path.header, body, { by: callerName(caller), view: caller.view })(snapshot, nowMs),
  'sessions.report': (snapshot, { actor, body, nowMs }) => reportPlan(body, actor.name)(snapshot, nowMs),
  'workflows.openSession': (snapshot, { actor, body, nowMs }) =>
    planOpenSession(body, actor.name, actor.gracz)(snapshot, nowMs),
  'sessionRegistry.regenerate': snapshot => right(regenerateRegistry(snapshot)),
}

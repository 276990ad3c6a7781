import type { governanceRoutes } from '#protocol/governance.js'
import type { Planners } from '../planner.js'
import { setScheduleOwner } from './set-owner.js'
import { updatePermissions } from './update-permissions.js'

/** Planners of permissions and of schedules (A 4.11). */
export const governancePlanners: Planners<typeof governanceRoutes> = {
  'governance.permissions.update': (snapshot, { path, body, nowMs }) =>
    updatePermissions(snapshot, { nick: path.nick, patch: body }, nowMs),
  'config.schedules.update': (snapshot, { path, body }) =>
    setScheduleOwner(snapshot, path.workload, body.owner),
}

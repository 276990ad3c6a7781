import type { routes } from '#protocol/routes.js'
import { namePlanners } from './entities/names/planners.js'
import { entityPlanners } from './entities/planners.js'
import { governancePlanners } from './governance/planners.js'
import { identityPlanners } from './identity/planners.js'
import { characterPlanners } from './people/planners.js'
import { placePlanners } from './places/planners.js'
import type { Planners } from './planner.js'
import { sessionPlanners } from './sessions/planners.js'

/** One planner for every planned row; a missing or an extra one does not compile. */
export const planners: Planners<typeof routes> = {
  ...identityPlanners,
  ...governancePlanners,
  ...characterPlanners,
  ...placePlanners,
  ...entityPlanners,
  ...namePlanners,
  ...sessionPlanners,
}

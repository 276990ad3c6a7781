import type { namesWriteRoutes } from '#protocol/names.js'
import type { Planners } from '#src/writing/planner.js'
import { planForBlock } from '../of-block.js'
import { acceptAlias } from './accept-alias.js'

/** Planners of the writes of names (B 4.1). */
export const namePlanners: Planners<typeof namesWriteRoutes> = {
  'normalization.aliases.accept': (snapshot, { body: { surface, name, type }, nowMs }) =>
    planForBlock(name, type, (at, entity) => acceptAlias(at, entity, surface))(snapshot, nowMs),
}

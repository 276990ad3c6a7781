import type { entitiesWriteRoutes } from '#protocol/entity-writes.js'
import type { Planners } from '../planner.js'
import { createEntity } from './create-entity.js'
import { deleteEntity } from './delete-entity.js'
import { renameEntity } from './names/rename-entity.js'
import { planForBlock } from './of-block.js'
import { patchEntity } from './patch-entity.js'

/** Planners of the entity writes (B 4.1). */
export const entityPlanners: Planners<typeof entitiesWriteRoutes> = {
  'entities.create': (snapshot, { body }) => createEntity(snapshot, { tags: {}, ...body }),
  'entities.update': (snapshot, { path, query, body, nowMs }) =>
    planForBlock(path.name, query.type, (at, entity) => patchEntity(at, entity, body))(snapshot, nowMs),
  'entities.delete': (snapshot, { path, query, nowMs }) =>
    planForBlock(path.name, query.type, deleteEntity)(snapshot, nowMs),
  'entities.rename': (snapshot, { path, query, body, nowMs }) =>
    planForBlock(path.name, query.type, (at, entity) => renameEntity(at, entity, body.name))(snapshot, nowMs),
}

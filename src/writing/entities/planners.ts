import type { entitiesWriteRoutes } from '#protocol/entities/write-routes.js'
import type { Planners } from '../planner.js'
import { created } from './create-entity.js'
import { deleted } from './delete-entity.js'
import { renamed } from './names/rename-entity.js'
import { ofBlock } from './of-block.js'
import { patched } from './patch-entity.js'

/** Planners of the entity writes (B 4.1). */
export const entityPlanners: Planners<typeof entitiesWriteRoutes> = {
  'entities.create': (snapshot, { body }) => created(snapshot, { tags: {}, ...body }),
  'entities.update': (snapshot, { path, query, body, nowMs }) =>
    ofBlock(path.name, query.type, (at, entity) => patched(at, entity, body))(snapshot, nowMs),
  'entities.delete': (snapshot, { path, query, nowMs }) =>
    ofBlock(path.name, query.type, deleted)(snapshot, nowMs),
  'entities.rename': (snapshot, { path, query, body, nowMs }) =>
    ofBlock(path.name, query.type, (at, entity) => renamed(at, entity, body.name))(snapshot, nowMs),
}

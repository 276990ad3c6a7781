import { right } from 'fp-ts/lib/Either.js'
import type { entitiesWriteRoutes } from '#protocol/entities/write-routes.js'
import { patchEntity } from '#src/entities/writing/patch-entity.js'
import type { Handlers } from '#src/http/handler.js'

/** Writes of entities (B 4.1): each row only plans. */
export const entitiesWrite: Handlers<typeof entitiesWriteRoutes> = {
  'entities.update': ({ path, query, body }) => right({ plan: patchEntity(path.name, query.type, body) }),
}

import { right } from 'fp-ts/lib/Either.js'
import type { entitiesWriteRoutes } from '#protocol/entities/write-routes.js'
import type { Handlers } from '#src/http/routing/handler.js'
import { created } from '#src/writing/entities/create-entity.js'
import { deleted } from '#src/writing/entities/delete-entity.js'
import { renamed } from '#src/writing/entities/names/rename-entity.js'
import { ofBlock } from '#src/writing/entities/of-block.js'
import { patched } from '#src/writing/entities/patch-entity.js'

/** Writes of entities (B 4.1): each row only plans. */
export const entitiesWriteHandlers: Handlers<typeof entitiesWriteRoutes> = {
  'entities.create': ({ body }) => right({ plan: snapshot => created(snapshot, { tags: {}, ...body }) }),
  'entities.update': ({ path, query, body }) =>
    right({ plan: ofBlock(path.name, query.type, (snapshot, entity) => patched(snapshot, entity, body)) }),
  'entities.delete': ({ path, query }) => right({ plan: ofBlock(path.name, query.type, deleted) }),
  'entities.rename': ({ path, query, body }) =>
    right({
      plan: ofBlock(path.name, query.type, (snapshot, entity) => renamed(snapshot, entity, body.name)),
    }),
}

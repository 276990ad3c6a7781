import { right } from 'fp-ts/lib/Either.js'
import type { entitiesWriteRoutes } from '#protocol/entities/write-routes.js'
import { created } from '#src/entities/writing/create-entity.js'
import { deleted } from '#src/entities/writing/delete-entity.js'
import { ofBlock } from '#src/entities/writing/of-block.js'
import { patched } from '#src/entities/writing/patch-entity.js'
import { renamed } from '#src/entities/writing/rename-entity.js'
import type { Handlers } from '#src/http/handler.js'

/** Writes of entities (B 4.1): each row only plans. */
export const entitiesWrite: Handlers<typeof entitiesWriteRoutes> = {
  'entities.create': ({ body }) => right({ plan: snapshot => created(snapshot, { tags: {}, ...body }) }),
  'entities.update': ({ path, query, body }) =>
    right({ plan: ofBlock(path.name, query.type, (snapshot, entity) => patched(snapshot, entity, body)) }),
  'entities.delete': ({ path, query }) => right({ plan: ofBlock(path.name, query.type, deleted) }),
  'entities.rename': ({ path, query, body }) =>
    right({
      plan: ofBlock(path.name, query.type, (snapshot, entity) => renamed(snapshot, entity, body.name)),
    }),
}

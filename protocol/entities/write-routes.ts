import { EntityTypeText } from '#protocol/query.js'
import { type Table, write } from '#protocol/route.js'
import { TagPatch, UpdateAnswer } from './write.js'

/** Writes of entities (B 4.1, D32). */
export const entitiesWriteRoutes = {
  'entities.update': write({
    method: 'PATCH',
    path: '/entities/{name}',
    summary: 'Gives one tag of an entity a value, or ends one; what was dated stays as history.',
    capability: 'entity.write',
    own: false,
    query: { type: EntityTypeText },
    body: TagPatch,
    answers: { 200: UpdateAnswer },
    refusals: [
      'BodyInvalid',
      'EntityNotFound',
      'AmbiguousName',
      'RosterStoreProperty',
      'TagUnknown',
      'ValueRefused',
      'NameTaken',
    ],
    source: 'B 4.1, D32, ADR 0110',
  }),
} as const satisfies Table

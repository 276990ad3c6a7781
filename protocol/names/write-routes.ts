import type { BodyBounds } from '#protocol/bounds.js'
import { type Table, write } from '#protocol/route.js'
import { AliasAcceptance, AliasAnswer } from './resolve.js'

const acceptance: BodyBounds = { texts: { surface: 'name', name: 'lookup' }, counts: 'values' }

/** Writes of names (B 4.1). */
export const namesWriteRoutes = {
  'normalization.aliases.accept': write({
    method: 'POST',
    path: '/normalization/aliases/accept',
    summary: 'Gives a block another spelling, a dated `@alias`, unless another block has a form of it.',
    capability: 'entity.write',
    own: false,
    query: {},
    body: AliasAcceptance,
    bounds: acceptance,
    answers: { 200: AliasAnswer },
    refusals: [
      'BodyInvalid',
      'EntityNotFound',
      'AmbiguousName',
      'RosterStoreProperty',
      'TagUnknown',
      'ValueRefused',
      'NameTaken',
    ],
    source: 'B 4.1, D32, docs/spec/name-routes.md#accept',
    example: { body: { surface: 'Bogdan Solny', name: 'Kupiec Bogdan', type: 'NPC' } },
  }),
} as const satisfies Table

import { type Table, write } from '#protocol/route.js'
import { GrantAnswer, GrantWish, RevokeAnswer } from './grant.js'

const ofGrants = {
  method: 'POST',
  capability: 'capability.admin',
  own: false,
  query: {},
  body: GrantWish,
  source: 'A 4.3, A 5, D40, ADR 1019',
} as const

/** Grants of capabilities beside the roles (A 4.3, D40): committed, so that every host knows them. */
export const rightsRoutes = {
  'capabilities.grant': write({
    ...ofGrants,
    path: '/capabilities/grant',
    summary: 'Gives a capability to a game id. The caller must have it in full.',
    answers: { 200: GrantAnswer },
    refusals: ['ValueRefused', 'Forbidden', 'IdentityNotFound', 'StoreUnreadable'],
    example: { body: { gameId: '41002', capability: 'capability.admin' } },
  }),
  'capabilities.revoke': write({
    ...ofGrants,
    path: '/capabilities/revoke',
    summary: 'Takes a grant back; what a role gives stays.',
    answers: { 200: RevokeAnswer },
    refusals: ['ValueRefused', 'IdentityNotFound', 'StoreUnreadable'],
    example: { body: { gameId: '41002', capability: 'sync.run' } },
  }),
} as const satisfies Table

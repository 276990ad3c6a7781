import { type Table, write } from '#protocol/route.js'
import { AccountLink, AccountLinkAnswer } from './link.js'

export const linkRoutes = {
  'auth.link': write({
    method: 'POST',
    path: '/auth/link',
    anyCommit: true,
    summary: 'Binds a chat account to a game id. The caller must have every capability of the id.',
    capability: 'identity.link',
    own: false,
    query: {},
    body: AccountLink,
    unknownKeys: 'ignored',
    answers: { 200: AccountLinkAnswer },
    refusals: ['no_gracz_for_game_id', 'ambiguous_game_id', 'Forbidden', 'StoreUnreadable'],
    source: 'A 4.3, D42, ADR 1019',
    example: { body: { gameId: '41002', chatId: '1002' } },
  }),
} as const satisfies Table

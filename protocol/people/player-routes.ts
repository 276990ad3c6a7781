import { GameIdText, NickText } from '#protocol/query.js'
import { ofHost, route, type Table } from '#protocol/route.js'
import { ResolvedPlayer } from './player.js'

/** Players of the game by nick or game id (A 4.6.5). */
export const playerRoutes = {
  'players.resolve.get': route({
    ...ofHost,
    method: 'GET',
    path: '/players/resolve',
    summary: 'The player with a nick, present or past, or with a game id: exactly one of both.',
    capability: 'player.read',
    query: { nick: NickText, gameid: GameIdText },
    body: null,
    answers: { 200: ResolvedPlayer },
    refusals: [
      'ParameterInvalid',
      'PlayerNotFound',
      'resolve_fetch_budget_exhausted',
      'DiskRefused',
      'roster_disabled',
      'RosterUnavailable',
    ],
    source: 'A 4.6.5',
    example: { query: { nick: 'Brzozek', gameid: '41001' }, needs: ['nick'], oneOf: ['nick', 'gameid'] },
  }),
} as const satisfies Table

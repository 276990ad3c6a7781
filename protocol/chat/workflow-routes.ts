import { ofHost, type Route, route, type Table, write } from '#protocol/route.js'
import { AssignAnswer, AssignByChat } from './assign.js'
import {
  ChatSelfReport,
  PeopleByChat,
  PickedPeople,
  RegisterAnswer,
  RegisterByChat,
  WhoamiByChat,
} from './workflows.js'

const dispatched = {
  method: 'POST',
  capability: 'chat.dispatch',
  own: false,
  query: {},
  unknownKeys: 'ignored',
} as const

const asked = {
  ...ofHost,
  ...dispatched,
  refusals: [],
} as const satisfies Partial<Route>

/** Requests of the ingest worker for people in the chat, whose interactions it has verified (A 4.4). */
export const workflowRoutes = {
  'workflows.registerByChat': write({
    ...dispatched,
    path: '/workflows/register-by-chat',
    byChat: true,
    summary: 'Binds the chat account of the caller to the game id that they name.',
    body: RegisterByChat,
    answers: { 200: RegisterAnswer },
    refusals: [
      'registration_disabled',
      'BodyInvalid',
      'registration_needs_guild',
      'wrong_guild',
      'no_gracz_for_game_id',
      'ambiguous_game_id',
      'StoreUnreadable',
      'registration_reserved',
    ],
    source: 'A 4.4',
    example: { body: { chatId: '1002', guildId: '900', gameId: '41002' } },
  }),
  'workflows.getWhoamiByChat': route({
    ...asked,
    path: '/workflows/whoami-by-chat',
    summary: 'The person that a chat account is bound to, and what they may do.',
    body: WhoamiByChat,
    answers: { 200: ChatSelfReport },
    source: 'A 2.2, A 4.4',
    example: { body: { chatId: '700100200300400500', guildId: '900' } },
  }),
  'workflows.findPeopleByChat': route({
    ...asked,
    path: '/workflows/people-by-chat',
    summary: 'Up to 25 people whose name, alias or game id begins so.',
    body: PeopleByChat,
    answers: { 200: PickedPeople },
    source: 'A 2.1, A 4.4',
    example: { body: { prefix: 'żan' } },
  }),
  'workflows.assignByChat': write({
    ...dispatched,
    path: '/workflows/assign-by-chat',
    byChat: true,
    summary: 'Binds the account of another person to a game id, on the authority of a guild role.',
    body: AssignByChat,
    answers: { 200: AssignAnswer },
    refusals: [
      'registration_needs_guild',
      'wrong_guild',
      'no_role_declared',
      'invoker_has_no_roles',
      'roles_unreadable',
      'not_authorised',
      'no_gracz_for_game_id',
      'ambiguous_game_id',
      'StoreUnreadable',
      'RoleTooWeak',
    ],
    source: 'A 4.4, D43, ADR 1019',
    example: {
      body: { chatId: '1009', targetChatId: '1002', gameId: '41001', guildId: '900', roles: ['77'] },
    },
  }),
} as const satisfies Table

import * as t from 'io-ts'
import { ofHost, type Route, route, type Table, write } from '#protocol/route.js'
import { ChatId, GameId } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import {
  closingDescriptions,
  closingRoutes,
  SessionClosing,
  SessionDeferred,
  SessionWouldClose,
} from '../enactments/closing.js'
import { gateAnswerWithinMs } from '../host/admin.js'
import { bindingFields } from '../identity/link.js'
import { PlacedSession, placedText } from '../lore/session-writes.js'
import { ChatQuery, InteractionId } from './dispatch.js'
import { AssignAnswer, AssignByChat } from './platform.js'

/**
 * `POST /workflows/register-by-chat` (A 4.4). Every field is optional, so that a host without registration
 * refuses before it checks them.
 */
const RegisterByChat = t.partial({ chatId: ChatId, guildId: t.string, gameId: GameId }, 'RegisterByChat')
type RegisterByChat = t.TypeOf<typeof RegisterByChat>

/** `announcement` is the Polish sentence to post (ADR 1031). */
const registration = {
  status: t.keyof({ registered: null, already_linked: null }),
  ...bindingFields,
  announcement: t.string,
} as const

const Registered = t.type(registration, 'Registered')
export const RegisterPreview = previewOf({ wouldRegister: t.string, ...registration }, 'RegisterPreview')
export const RegisterAnswer = t.union([Registered, RegisterPreview], 'RegisterAnswer')
export type RegisterAnswer = t.TypeOf<typeof RegisterAnswer>

/** `chatId` is the account of the verified interaction; `guildId` its guild, if any. */
export const WhoamiByChat = t.intersection(
  [t.type({ chatId: ChatId }), t.partial({ guildId: t.string })],
  'WhoamiByChat',
)
export type WhoamiByChat = t.TypeOf<typeof WhoamiByChat>

/**
 * What a chat account learns about itself (A 2.2). `gameId` and `gracz` are empty when there is none;
 * `guildMatches` is null when the interaction names no guild, or the host has none.
 */
export const ChatSelfReport = t.type(
  {
    chatId: t.string,
    linked: t.boolean,
    gameId: t.string,
    gracz: t.string,
    graczResolves: t.boolean,
    guildMatches: t.union([t.boolean, t.null]),
    signInEnabled: t.boolean,
    registrationEnabled: t.boolean,
    capabilityCount: t.number,
  },
  'ChatSelfReport',
)
export type ChatSelfReport = t.TypeOf<typeof ChatSelfReport>

/**
 * The beginning of a name, an alias or a game id; without it the answer lists the first people of the store.
 */
const PeopleByChat = t.partial({ prefix: t.string }, 'PeopleByChat')

export const PickedPerson = t.readonly(
  t.type({ gameId: t.string, name: t.string, linked: t.boolean }),
  'PickedPerson',
)
export type PickedPerson = t.TypeOf<typeof PickedPerson>

/** Up to 25 people. A single match is that person and no list (A 2.1). */
export const PickedPeople = t.type(
  { count: t.number, items: t.union([PickedPerson, t.readonlyArray(PickedPerson)]) },
  'PickedPeople',
)
export type PickedPeople = t.TypeOf<typeof PickedPeople>

const QueryAnswered = t.type({ ...ChatQuery.props, text: t.string }, 'QueryAnswered')

/**
 * `POST /workflows/report-session-by-chat` (A 4.9). `reportB64`: the text of the report in UTF-8 and base64.
 * `interactionId`: the key of its commit; absent where it comes of no interaction.
 */
const ReportByChat = t.intersection(
  [t.type({ chatId: ChatId, reportB64: t.string }), t.partial({ interactionId: InteractionId })],
  'ReportByChat',
)

/** `changed` is false where the same report is there already. `announcement` is the Polish sentence to post. */
const reportOutcome = { ...PlacedSession, changed: t.boolean, announcement: t.string } as const

export const ReportByChatAnswer = t.union(
  [
    t.type({ reported: t.string, ...reportOutcome }, 'ReportedByChat'),
    previewOf({ wouldReport: t.string, ...reportOutcome }, 'ReportByChatPreview'),
  ],
  'ReportByChatAnswer',
)
export type ReportByChatAnswer = t.TypeOf<typeof ReportByChatAnswer>

/**
 * `POST /workflows/close-session-by-chat` (A 4.9). Without `header` the one open session of the person. `interactionId`
 * as in `ReportByChat`.
 */
const CloseByChat = t.intersection(
  [
    t.type({ chatId: ChatId }),
    t.partial({ header: t.string, note: t.union([t.string, t.null]), interactionId: InteractionId }),
  ],
  'CloseByChat',
)

const Announced = t.type({ announcement: t.string }, 'Announced')

const CloseByChatAnswer = t.union(
  [
    t.intersection([SessionClosing, Announced], 'ClosedByChat'),
    t.intersection([SessionDeferred, Announced], 'DeferredByChat'),
    t.intersection([SessionWouldClose, Announced], 'CloseByChatPreview'),
  ],
  'CloseByChatAnswer',
)

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
    byChat: 'account',
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
    byChat: 'account',
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

const linkRefusals = ['not_linked', 'no_gracz_for_game_id', 'ambiguous_game_id'] as const

/** Requests of the ingest worker about sessions and points, on the rights of the linked person (A 4.9, B 4.2). */
export const sessionsByChatRoutes = {
  'workflows.queryByChat': route({
    ...asked,
    path: '/workflows/query-by-chat',
    summary: 'Answers a chat account about its person: the status, the open sessions or the PU.',
    capability: 'entity.read',
    body: ChatQuery,
    answers: { 200: QueryAnswered },
    refusals: linkRefusals,
    source: 'A 4.9, B 4.2',
    example: { body: { chatId: '700100200300400511', intent: 'status' } },
  }),
  'workflows.closeSessionByChat': write({
    ...dispatched,
    path: '/workflows/close-session-by-chat',
    enacts: true,
    answerWithinMs: gateAnswerWithinMs,
    byChat: 'person',
    summary: 'Closes a session for the person of a chat account: the named one, or their one open session.',
    capability: 'session.close',
    body: CloseByChat,
    bounds: { texts: { interactionId: 'lookup' }, counts: 'values' },
    answers: { 200: CloseByChatAnswer },
    refusals: [...linkRefusals, 'SessionNotChosen', ...closingRoutes['workflows.closeSession'].refusals],
    source: 'A 4.9, B 4.2',
    example: {
      body: {
        chatId: '700100200300400511',
        header: '2026-05-20, Wieża/Latarnia, Brzoza',
        note: 'Koniec przygody.',
        interactionId: '900100200300400501',
      },
    },
  }),
  'workflows.reportSessionByChat': write({
    ...dispatched,
    path: '/workflows/report-session-by-chat',
    byChat: 'person',
    summary: 'Files what the person of a chat account tells of a session below `zgłoszenia/`.',
    capability: 'session.report',
    body: ReportByChat,
    bounds: { texts: { reportB64: 'prose', interactionId: 'lookup' }, counts: 'values' },
    answers: { 200: ReportByChatAnswer },
    refusals: [
      ...linkRefusals,
      'BodyInvalid',
      'ReportRefused',
      'BoundExceeded',
      'ValueRefused',
      'TagUnknown',
      'NameUnresolved',
      'NameTaken',
    ],
    source: 'A 4.9, B 4.2',
    example: {
      body: {
        chatId: '700100200300400511',
        reportB64: 'IyMjIDIwMjYtMDUtMTUsIEJyYW1hLCBCcnpvemEKCkLFgmEgcHJ6eSBicmFtaWUuCg==',
        interactionId: '900100200300400500',
      },
    },
  }),
} as const satisfies Table

const chatId = 'Id of the chat account of the verified interaction.'
const interactionId = 'Id of the interaction; the commit has it as `Svc-Interaction`.'
const announcement = 'Sentence to post in the chat, in Polish.'

const reported = {
  ...placedText,
  announcement,
  changed: 'False when the same report of the person was there already.',
} as const

export const sessionsByChatDescriptions: Descriptions = {
  QueryAnswered: {
    intent: 'What was asked for.',
    text: 'Answer for the player, in Polish, at most 2,000 characters.',
  },
  ClosedByChat: { ...closingDescriptions['SessionClosing'], announcement },
  DeferredByChat: { ...closingDescriptions['SessionDeferred'], announcement },
  'DeferredByChat.Request': { Iid: 'Number of the request in its project.', Url: 'Page of the request.' },
  CloseByChatPreview: { ...closingDescriptions['SessionWouldClose'], announcement },
  CloseByChat: {
    chatId,
    header: 'Heading of the session; without it the one open session of the person.',
    note: 'Remark for the row of the close ledger; null or absent for none.',
    interactionId,
  },
  ReportByChat: {
    chatId,
    reportB64:
      'Text of the report in UTF-8 and standard base64: `### YYYY-MM-DD, title, narrator`, and its text below.',
    interactionId,
  },
  ReportedByChat: { reported: 'Heading of the reported session.', ...reported },
  ReportByChatPreview: { wouldReport: 'Heading that the reported session would have.', ...reported },
}

import * as t from 'io-ts'
import { previewOf } from '../dry-run.js'
import { bindingFields } from '../identity/link.js'
import { ChatId, GameId } from './account.js'

/**
 * `POST /workflows/register-by-chat` (A 4.4). Every field is optional, so that a host without registration
 * refuses before it checks them.
 */
export const RegisterByChat = t.partial(
  { chatId: ChatId, guildId: t.string, gameId: GameId },
  'RegisterByChat',
)
export type RegisterByChat = t.TypeOf<typeof RegisterByChat>

/** `announcement` is the Polish sentence to post (ADR 1031). */
const registration = {
  status: t.keyof({ registered: null, already_linked: null }),
  ...bindingFields,
  announcement: t.string,
} as const

export const Registered = t.type(registration, 'Registered')
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
export const PeopleByChat = t.partial({ prefix: t.string }, 'PeopleByChat')

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

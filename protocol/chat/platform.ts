import * as t from 'io-ts'
import { ChatId, GameId, Snowflake } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { bindingFields } from '../identity/link.js'
import { shortListOf } from '../list.js'

/** The fields of the platform's answers that this host reads; others are dropped. */
const PlatformRole = t.strict({ id: Snowflake, name: t.string }, 'PlatformRole')

/** A channel or a category (type 4); `parent_id` names the category of a channel. */
export const PlatformChannel = t.exact(
  t.intersection([
    t.type({ id: Snowflake, type: t.number, name: t.string }),
    t.partial({ parent_id: t.union([Snowflake, t.null]) }),
  ]),
  'PlatformChannel',
)
export type PlatformChannel = t.TypeOf<typeof PlatformChannel>

/** Twice as many as a guild can have: 250 roles, 500 channels. */
const rowsMax = 1_000
export const PlatformRoles = shortListOf(PlatformRole, rowsMax)
export const PlatformChannels = shortListOf(PlatformChannel, rowsMax)

export const PlatformMessage = t.strict({ id: Snowflake, channel_id: Snowflake }, 'PlatformMessage')

/** Body of an answer of 4xx; that of a 429 has the last two. */
export const PlatformError = t.partial(
  { code: t.number, retry_after: t.number, global: t.boolean },
  'PlatformError',
)

/** A kind of message to the chat platform. */
export interface DeliveryKind {
  readonly about: string
  /** The key that names its channel; null where the message itself has one. */
  readonly channelKey: ChannelKey | null
  /**
   * Who sends it: a caller of `POST /chat/send`, the host that made the commit which it follows, the host that has the
   * duty of the fleet, or the host that accepted the interaction.
   */
  readonly sender: 'caller' | 'author' | 'duty' | 'acceptor'
  /** What its nonce is made of, so that two messages with the same are one to the platform. */
  readonly sameBy: string
}

/** The keys of the configuration that name the channel of a notice. */
type ChannelKey = 'integrations.chat.peer_watch.channel' | 'integrations.chat.converge_announce.channel'

const ofPerson = { channelKey: null, sender: 'author' } as const

/** The kinds of messages to the chat platform by their labels: a closed table. */
export const deliveryOperations = {
  message: {
    about: 'A message that a caller sent with `POST /chat/send`.',
    channelKey: null,
    sender: 'caller',
    sameBy: 'the row of the outbox',
  },
  pu: { ...ofPerson, about: 'The monthly points of a person.', sameBy: 'the batch, the Gracz and the part' },
  Intel: {
    ...ofPerson,
    about: 'What a session reveals to a person.',
    sameBy: 'the session, the entry, the channel and the part',
  },
  'close-reminder': {
    ...ofPerson,
    about: 'The sessions that a narrator has not closed.',
    sameBy: 'the reminder and the part',
  },
  'peer-watch': {
    about: 'A change of a town of the fleet, or the end of a takeover.',
    channelKey: 'integrations.chat.peer_watch.channel',
    sender: 'duty',
    sameBy: 'the kind, the town and its boot, or the term of the takeover',
  },
  'converge-announce': {
    about: 'What a converge brought from others.',
    channelKey: 'integrations.chat.converge_announce.channel',
    sender: 'duty',
    sameBy: 'the commit that the converge reached',
  },
  'follow-up': {
    about: 'An answer to an interaction that was given up.',
    channelKey: null,
    sender: 'acceptor',
    sameBy: 'the token of the interaction',
  },
} as const satisfies Readonly<Record<string, DeliveryKind>>

/** The labels of the notices that have a channel of their own. */
export type NoticeLabel = 'peer-watch' | 'converge-announce'

/** One call of the chat platform's REST interface. */
export interface ChatCall {
  readonly method: 'GET' | 'PATCH' | 'POST'
  /** Template of the path. With the method it identifies a rate limit. */
  readonly route: string
  /** The id that splits rate limits: the guild or the channel. */
  readonly major: string
  /** Below the configured base. */
  readonly path: string
  /** JSON; null when the call has none. */
  readonly body: string | null
  /** Whether it sends a message, which `integrations.chat.rate_per_minute` counts. */
  readonly isMessage: boolean
}

export const silences = { timeout: null, network: null, too_large: null } as const

/** The result of one attempt: a whole answer, with header names in lower case, or none. */
export type Heard =
  | {
      readonly _tag: 'Answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  | { readonly _tag: 'NoAnswer'; readonly reason: keyof typeof silences }

/** The headers of an answer that are kept. */
export const heardHeaders = [
  'content-type',
  'retry-after',
  'via',
  'x-ratelimit-bucket',
  'x-ratelimit-global',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset-after',
  'x-ratelimit-scope',
] as const

export const limitScopes = ['user', 'global', 'shared'] as const
/** The scope of a 429: this bot in one bucket, this bot everywhere, or everybody at that resource. */
export type LimitScope = (typeof limitScopes)[number]

/**
 * Why a call of the chat platform failed. `detail` tells the operator what happened and what to do, and
 * contains no credential. `retryAfterMs` is null when waiting alone does not help.
 */
export interface ChatFailure {
  readonly _tag:
    | 'NoBotToken'
    | 'NoChatApi'
    | 'ChatDisabled'
    | 'BotTokenRefused'
    | 'RateLimited'
    | 'InvalidBudgetSpent'
    | 'ChatRefused'
    | 'NoAnswer'
    | 'BadAnswer'
    | 'CourierBusy'
  readonly detail: string
  readonly retryAfterMs: number | null
  /** Whether an attempt of the call ended without an answer, so that the platform may have carried it out. */
  readonly mayBeDone: boolean
  /** The status and the platform's own code of a refusal. `isOfClient`: it concerns every call of this host. */
  readonly refusal: {
    readonly status: number
    readonly code: number | null
    readonly isOfClient: boolean
  } | null
}

/** Either `category` and `channel`, or `entity`. */
export const SendChatMessage = t.partial(
  { category: t.string, channel: t.string, entity: t.string, message: t.string },
  'SendChatMessage',
)
export type SendChatMessage = t.TypeOf<typeof SendChatMessage>

const SendResult = t.keyof(
  { SENT: null, QUEUED: null, REFUSED: null, UNKNOWN: null, WHATIF: null },
  'SendResult',
)
type SendResult = t.TypeOf<typeof SendResult>

export const ChatMessageSent = t.strict(
  {
    Delivered: t.boolean,
    Result: SendResult,
    Entity: t.union([t.string, t.null]),
    Message: t.string,
  },
  'ChatMessageSent',
)
export type ChatMessageSent = t.TypeOf<typeof ChatMessageSent>

/**
 * `POST /workflows/assign-by-chat` (A 4.4, ADR 1019): `chatId` is the account of the verified interaction,
 * `roles` are the ids of the guild roles in it; `targetChatId` is the account to bind.
 */
export const AssignByChat = t.intersection(
  [
    t.type({ chatId: ChatId, targetChatId: ChatId, gameId: GameId }),
    t.partial({ guildId: t.string, roles: t.readonlyArray(ChatId) }),
  ],
  'AssignByChat',
)
export type AssignByChat = t.TypeOf<typeof AssignByChat>

/** `chatId` is the bound account; `role` is that of the store, `guildRole` the guild role that it names. */
const assignment = {
  status: t.keyof({ assigned: null, already_linked: null }),
  ...bindingFields,
  role: t.string,
  guildRole: t.string,
  announcement: t.string,
} as const

const Assigned = t.type(assignment, 'Assigned')
export const AssignPreview = previewOf({ wouldAssign: t.string, ...assignment }, 'AssignPreview')
export const AssignAnswer = t.union([Assigned, AssignPreview], 'AssignAnswer')
export type AssignAnswer = t.TypeOf<typeof AssignAnswer>

/** The metrics of messages to the chat platform. */
export const chatMetrics = {
  svc_chat_deliveries_total: {
    kind: 'counter',
    labels: ['operation', 'result'],
    help: 'Messages of the outbox by how they ended: sent, refused, or unknown.',
  },
  svc_chat_outbox_rows: { kind: 'gauge', labels: ['status'], help: 'Messages of the outbox on record.' },
  svc_chat_outbox_oldest_age_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'Age of the oldest message that waits; 0 where none does.',
  },
  svc_chat_courier_shut_until_timestamp_seconds: {
    kind: 'gauge',
    labels: ['reason'],
    help: 'Until when the chat courier makes no calls, by token or budget; 0 where that does not stop it.',
  },
} as const

const invoker = {
  chatId: 'Id of the chat account of the verified interaction.',
  guildId: 'Id of the guild that the interaction came from; absent outside a guild.',
} as const

const announcement = { announcement: 'Sentence to post in the chat, in Polish.' } as const

const registered = {
  status: 'Whether the binding is new or was there already.',
  ...announcement,
} as const

const assigned = {
  ...registered,
  chatId: 'Id of the chat account that is bound.',
  role: 'Role of the invoker in the contributor store that gives the right.',
  guildRole: 'Guild role that names it, by `@chat_rola`.',
} as const

export const chatDescriptions: Descriptions = {
  RegisterByChat: { ...invoker, gameId: 'Id in the game that the account wants to be bound to.' },
  Registered: registered,
  RegisterPreview: { wouldRegister: 'Game id that would be bound.', ...registered },
  WhoamiByChat: invoker,
  ChatSelfReport: {
    linked: 'True when the account is bound to a game id.',
    gameId: 'That game id; empty without one.',
    gracz: 'Name of the person of that id; empty without one.',
    graczResolves: 'True when the id belongs to exactly one person today.',
    guildMatches: 'True when the guild is that of this host; null when one of them is not named.',
    signInEnabled: 'True when this host takes sign-ins of the chat.',
    registrationEnabled: 'True when this host lets accounts register themselves.',
    capabilityCount: 'Number of capabilities that the person holds in full.',
  },
  PeopleByChat: { prefix: 'Beginning of a name, an alias or a game id; the first people without it.' },
  PickedPeople: {
    count: 'Number of matches in this answer, at most 25.',
    items: 'The matches; a single match is the object itself, not a list.',
  },
  PickedPerson: {
    name: 'Heading of the person in the contributor store.',
    linked: 'True when a chat account is bound to the id.',
  },
  AssignByChat: {
    ...invoker,
    targetChatId: 'Id of the chat account to bind.',
    gameId: 'Id in the game to bind it to.',
    roles: 'Ids of the guild roles that the interaction carried.',
  },
  Assigned: assigned,
  AssignPreview: { wouldAssign: 'Game id that would be bound.', ...assigned },
}

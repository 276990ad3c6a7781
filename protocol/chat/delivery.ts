import * as t from 'io-ts'
import { actsOnHost, ofHost, route, type Table } from '#protocol/route.js'
import { Instant } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { listOf } from '../list.js'
import { ChatMessageSent, deliveryOperations, SendChatMessage } from './platform.js'

/** queued → sent | refused | unknown; the last three are final. */
export const deliveryStatuses = ['queued', 'sent', 'refused', 'unknown'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const DeliveryStatus = t.keyof(
  { queued: null, sent: null, refused: null, unknown: null },
  'DeliveryStatus',
)

export const DeliveryOperation = t.keyof(deliveryOperations, 'DeliveryOperation')
export type DeliveryOperation = t.TypeOf<typeof DeliveryOperation>

const textOrNull = t.union([t.string, t.null])
const instantOrNull = t.union([Instant, t.null])

/** A message of the outbox without its text, which may be meant for its recipients alone. */
export const Delivery = t.strict(
  {
    id: t.string,
    operation: DeliveryOperation,
    status: DeliveryStatus,
    category: t.string,
    channel: t.string,
    entity: textOrNull,
    attempts: t.number,
    queuedUtc: Instant,
    nextUtc: instantOrNull,
    endedUtc: instantOrNull,
    waitSeconds: t.number,
    code: t.union([t.number, t.null]),
    detail: textOrNull,
    messageId: textOrNull,
  },
  'Delivery',
)
export type Delivery = t.TypeOf<typeof Delivery>

export const Deliveries = listOf(Delivery, 'Deliveries')

/**
 * An answer to an interaction that was given up, as it goes on record: without its text and without its token. Its id
 * is that of the interaction.
 */
export interface GivenUpAnswer {
  readonly id: string
  readonly attempts: number
  /** When the interaction was accepted. */
  readonly queuedMs: number
  readonly end:
    | { readonly _tag: 'Refused'; readonly code: number | null; readonly detail: string }
    | { readonly _tag: 'Unknown'; readonly detail: string }
}

export const deliveryRoutes = {
  'chat.send': route({
    ...actsOnHost,
    method: 'POST',
    path: '/chat/send',
    summary: 'Sends a message to a channel of the chat, named by itself or as that of an entity.',
    capability: 'chat.send',
    query: {},
    body: SendChatMessage,
    answers: { 200: ChatMessageSent },
    refusals: [
      'BodyInvalid',
      'EntityNotFound',
      'AmbiguousName',
      'ChatAddressMissing',
      'chat_disabled',
      'ChannelNotFound',
      'ChannelAmbiguous',
      'Overloaded',
      'DiskRefused',
    ],
    source: 'A 4.9',
    example: {
      body: { category: 'sesje', channel: 'solmyr-kanał', message: 'Sesja zaczyna się o dwudziestej.' },
    },
  }),
  'chat.deliveries.list': route({
    ...ofHost,
    method: 'GET',
    path: '/chat/deliveries',
    anyCommit: true,
    early: true,
    summary: 'The messages of this host to the chat, newest first, at most 500.',
    capability: 'log.read',
    query: { operation: DeliveryOperation },
    body: null,
    answers: { 200: Deliveries },
    refusals: [],
    source: 'A 4.9',
    example: { query: { operation: 'message' } },
  }),
} as const satisfies Table

export const deliveryDescriptions: Descriptions = {
  SendChatMessage: {
    category: 'Name of the category of the channel.',
    channel: 'Name of the channel.',
    entity: 'Heading or alias of the entity whose `@chat` names the channel, in place of a channel.',
    message: 'Text of the message, 1 to 2,000 characters. It pings nobody.',
  },
  ChatMessageSent: {
    Delivered: 'True when the platform has the message.',
    Result: 'How the message stands after at most 10 seconds; `WHATIF` for a dry run.',
    Entity: 'Heading of the entity; null for a channel that was named.',
    Message: 'Text of the message.',
  },
  Deliveries: {
    count: 'Number of messages in this answer.',
    items: 'The messages, newest first.',
  },
  Delivery: {
    id: 'Id of the message in the outbox of this host, or of the interaction that it answers.',
    operation: 'What the message is for.',
    status: 'Queued, or how the message ended.',
    category: 'Name of the category of the channel; empty for an answer to an interaction.',
    channel: 'Name of the channel; empty for an answer to an interaction.',
    entity: 'Heading of the entity whose channel it is; null for a channel that was named.',
    attempts: 'Number of attempts that have begun.',
    queuedUtc: 'When the message was queued, ISO 8601 in UTC.',
    nextUtc: 'When the next attempt may begin, ISO 8601 in UTC; null for a message that has ended.',
    endedUtc: 'When the message ended, ISO 8601 in UTC; null for one that waits.',
    waitSeconds: 'Time from the queue to the end, or to now.',
    code: "The platform's own code in its last refusal; null without one.",
    detail: 'Why the message waits or was not sent; null otherwise.',
    messageId: 'Id that the platform gave the message; null before it has it.',
  },
}

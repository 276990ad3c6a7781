import { actsOnHost, ofHost, route, type Table } from '#protocol/route.js'
import { Deliveries, DeliveryOperation } from './delivery.js'
import { ChatMessageSent, SendChatMessage } from './send.js'

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

import * as t from 'io-ts'

/** Either `category` and `channel`, or `entity`. */
export const SendChatMessage = t.partial(
  { category: t.string, channel: t.string, entity: t.string, message: t.string },
  'SendChatMessage',
)
export type SendChatMessage = t.TypeOf<typeof SendChatMessage>

export const SendResult = t.keyof(
  { SENT: null, QUEUED: null, REFUSED: null, UNKNOWN: null, WHATIF: null },
  'SendResult',
)
export type SendResult = t.TypeOf<typeof SendResult>

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

import * as t from 'io-ts'
import { refusalRow as row } from '../refusal-row.js'

const text = t.string

/** The refusals of a message to the chat (A 4.9). */
export const deliveryRefusalRows = {
  ChatAddressMissing: row(
    422,
    'The entity has no channel: no `@chat`, or one that cannot be read; `declined` is true where it is `BRAK`.',
    { entity: text, declined: t.boolean },
  ),
  chat_disabled: row(
    503,
    'This host sends no messages: no bot token, or the keys of `integrations.chat` switch delivery off.',
    {},
  ),
  ChannelNotFound: row(404, 'The guild has no channel of this name in a category of this name.', {
    category: text,
    channel: text,
  }),
  ChannelAmbiguous: row(409, 'The guild has `count` channels of this name. Rename all but one.', {
    category: text,
    channel: text,
    count: t.number,
  }),
} as const

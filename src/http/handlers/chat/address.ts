import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { SendChatMessage } from '#protocol/chat/platform.js'
import { bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import { findMessageFault } from '#src/domain/chat/attempts.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { valuesOn } from '#src/domain/lore/deciding-order.js'
import { channelNameCharsMax, chatReference } from '#src/domain/people/roster.js'
import type { ChannelName } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { targetNamed } from '#src/writing/entities/entity-change.js'

/** A message with its channel; `entity` is null for a channel that was named. */
export interface AddressedMessage extends ChannelName {
  readonly entity: string | null
  readonly text: string
}

type Address = Omit<AddressedMessage, 'text'>
type Refused = RefusalOf<'BodyInvalid' | 'EntityNotFound' | 'AmbiguousName' | 'ChatAddressMissing'>

const invalid = (path: string, expected: string, detail: string): Either<Refused, never> =>
  left(bodyInvalid(detail, { path, expected }))

const refuseAddress = (entity: string, declined: boolean): Either<Refused, never> =>
  left(
    refuse(
      'ChatAddressMissing',
      declined
        ? `"${entity}" has declined messages: its @chat is BRAK. Send the message to another channel.`
        : `"${entity}" has no @chat of the form category/channel today. Add one, or name the channel.`,
      { entity, declined },
    ),
  )

/** The channel of an entity today. A channel in any row wins over a refusal in another (A 4.6.3). */
const channelOf = ({ name, rows }: Entity, { day }: Snapshot): Either<Refused, Address> => {
  const references = valuesOn(rows, 'chat', day).map(chatReference)
  const [first] = references.flatMap(one => (one._tag === 'Channel' ? [one] : []))
  return first === undefined
    ? refuseAddress(
        name,
        references.some(one => one._tag === 'Declined'),
      )
    : right({ category: first.category, channel: first.channel, entity: name })
}

const channelOfEntity = (snapshot: Snapshot, name: string): Either<Refused, Address> => {
  const found = targetNamed(snapshot.entities, name)
  return isLeft(found) ? found : channelOf(found.right, snapshot)
}

const addressOf = (
  snapshot: Snapshot,
  { category, channel, entity }: SendChatMessage,
): Either<Refused, Address> => {
  const isChannelNamed = category !== undefined || channel !== undefined
  if (isChannelNamed === (entity !== undefined))
    return invalid(
      '$',
      '`category` and `channel`, or `entity`',
      'The body has both a channel and an entity, or neither. Send `category` and `channel`, or `entity`.',
    )
  if (entity !== undefined) return channelOfEntity(snapshot, entity)
  const [named, of] = [channel?.trim() ?? '', category?.trim() ?? '']
  if (of === '')
    return invalid('$.category', 'the name of a category', 'Send the category of the channel as `category`.')
  if (named === '')
    return invalid('$.channel', 'the name of a channel', 'Send the name of the channel as `channel`.')
  if (Math.max(named.length, of.length) > channelNameCharsMax)
    return invalid(
      named.length > of.length ? '$.channel' : '$.category',
      `a name of at most ${channelNameCharsMax} characters`,
      `The name has more than ${channelNameCharsMax} characters, which no channel of the platform has. Correct it.`,
    )
  return right({ category: of, channel: named, entity: null })
}

const messageFaults = {
  missing: 'The message is missing or blank. Send its text as `message`.',
  too_long: 'The message has more than 2,000 characters, which the platform refuses. Send a shorter one.',
  lost: 'The message has U+FFFD in place of characters that were lost. Send its text in UTF-8.',
} as const

/** Finds the channel of a message, from the body of a request alone and the lore; refuses a text of no length. */
export const addressMessage = (
  snapshot: Snapshot,
  body: SendChatMessage,
): Either<Refused, AddressedMessage> => {
  const { message: text = '' } = body
  const fault = findMessageFault(text)
  if (fault !== null)
    return invalid('$.message', 'a text of 1 to 2,000 characters, without U+FFFD', messageFaults[fault])
  const address = addressOf(snapshot, body)
  return isLeft(address) ? address : right({ ...address.right, text })
}

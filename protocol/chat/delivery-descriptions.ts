import type { Descriptions } from '../description.js'

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

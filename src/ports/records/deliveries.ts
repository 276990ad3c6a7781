import type { DeliveryOperation, DeliveryStatus, GivenUpAnswer } from '#protocol/chat/delivery.js'

/** A channel of the guild by its names, in NFC. */
export interface ChannelName {
  readonly category: string
  readonly channel: string
}

/** A message that is to be sent. */
export interface NewDelivery extends ChannelName {
  readonly id: string
  readonly operation: DeliveryOperation
  /** The heading of the entity whose channel it is; null for a channel that was named. */
  readonly entity: string | null
  readonly text: string
  /** What makes two attempts one message for the platform; at most 25 characters. */
  readonly nonce: string
}

/** A message of the outbox. Times are wall milliseconds. */
export interface DeliveryRecord extends NewDelivery {
  readonly status: DeliveryStatus
  /** Counted when an attempt begins. */
  readonly attempts: number
  readonly queuedMs: number
  /** The time from which the next attempt may begin. */
  readonly dueMs: number
  /** Since when the platform may have the message without this host knowing it; null: it does not have it. */
  readonly doubtSinceMs: number | null
  readonly endedMs: number | null
  /** The id that the platform gave the message. */
  readonly messageId: string | null
  /** The platform's own code in its last refusal. */
  readonly code: number | null
  /** Why the message waits or was not sent. */
  readonly detail: string | null
}

/** Why messages wait: `channel` null holds all of them. */
export interface DeliveryHold {
  readonly channel: ChannelName | null
  readonly untilMs: number
  readonly code: number | null
  readonly detail: string
}

/** The oldest queued message of a channel; `dueMs` counts the holds. */
export interface DeliveryHead extends ChannelName {
  readonly id: string
  readonly dueMs: number
}

export type DeliveryEnd =
  | { readonly _tag: 'Sent'; readonly messageId: string }
  | { readonly _tag: 'Refused'; readonly code: number | null; readonly detail: string }
  | { readonly _tag: 'Unknown'; readonly detail: string }

export interface DeliveryDelay {
  readonly dueMs: number
  readonly doubtSinceMs: number | null
  readonly code: number | null
  readonly detail: string
}

/**
 * The outbox: the messages that this host sends to the chat platform, durable before a call returns. A call throws
 * where the disk refuses.
 */
export interface DeliveryStore {
  /** False, and nothing is queued, where 10,000 messages wait, or for a notice of this host 11,000. */
  readonly enqueue: (delivery: NewDelivery, atMs: number) => boolean
  /** Records an answer to an interaction that was given up, as operation `follow-up`; once for each id. */
  readonly recordAnswer: (answer: GivenUpAnswer, atMs: number) => void
  readonly find: (id: string) => DeliveryRecord | null
  /** Counts an attempt, of which the platform may know from now on. False where the message has ended. */
  readonly begin: (id: string, atMs: number) => boolean
  /** False where the message has ended already; it keeps its end. */
  readonly end: (id: string, end: DeliveryEnd, atMs: number) => boolean
  /** Lets a queued message wait for its next attempt. */
  readonly defer: (id: string, delay: DeliveryDelay) => boolean
  /**
   * The oldest queued message of each channel: at most 40, those that are due before those that are due next. Notices
   * of this host come before the messages of callers, and each in the order of their arrival.
   */
  readonly heads: (atMs: number) => ReadonlyArray<DeliveryHead>
  /** Holds a channel or all messages; a later hold of the same replaces it. */
  readonly hold: (hold: DeliveryHold) => void
  /** Ends the hold of a channel, or with null that of all messages. */
  readonly release: (channel: ChannelName | null) => void
  /** Ends every hold. */
  readonly releaseAll: () => void
  /**
   * The newest messages first, of one operation or of all, without their texts; a queued one has its hold. A page
   * without a queued message is the same array until a message changes.
   */
  readonly list: (
    operation: DeliveryOperation | null,
    limit: number,
    atMs: number,
  ) => ReadonlyArray<DeliveryRecord>
  /** When the message was queued that waits longest; null where none waits. */
  readonly oldestMs: () => number | null
  readonly counts: () => ReadonlyArray<{ readonly status: DeliveryStatus; readonly count: number }>
}

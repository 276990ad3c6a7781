import type { ChatFailure } from '#protocol/chat/platform.js'
import type { FoundChannel } from './find-channel.js'

/** How an attempt to send a message ended. */
export type SendOutcome =
  | { readonly _tag: 'Sent'; readonly messageId: string }
  | { readonly _tag: 'NoChannel'; readonly found: Exclude<FoundChannel, { readonly _tag: 'Found' }> }
  | { readonly _tag: 'Failed'; readonly failure: ChatFailure }

/** What decides the next step of a queued message, in wall milliseconds. */
export interface AttemptedDelivery {
  readonly category: string
  readonly channel: string
  readonly attempts: number
  readonly queuedMs: number
  /** Since when the platform may have the message; null: it does not have it. */
  readonly doubtSinceMs: number | null
}

interface Waits {
  readonly untilMs: number
  readonly doubtSinceMs: number | null
  readonly code: number | null
  readonly detail: string
}

export type AttemptVerdict =
  | { readonly _tag: 'Sent'; readonly messageId: string }
  | { readonly _tag: 'Refused'; readonly code: number | null; readonly detail: string }
  /** The platform may have the message and has forgotten its nonce: another attempt could send it twice. */
  | { readonly _tag: 'Unknown'; readonly detail: string }
  /** Another attempt follows. `holds`: also for the channel of the message, or for all messages. */
  | ({ readonly _tag: 'Wait'; readonly holds: 'message' | 'channel' | 'all' } & Waits)

/** How long a nonce is relied on; the platform remembers one for some minutes. */
export const nonceMemoryMs = 120_000
/** The longest time from the start of an attempt to its last request. */
export const attemptSpanMs = 45_000
/** How long a message waits for a channel or a token to work. */
export const deliveryLifeMs = 86_400_000
/** How long a channel or a token that does not work is left alone. */
export const holdMs = 600_000

const pauseMaxMs = 60_000

/** The pause after the failed attempt number n, counted from 1: 1 s · 2^(n-1), at most a minute. */
const pauseMs = (attempts: number): number => Math.min(pauseMaxMs, 1_000 * 2 ** Math.min(attempts - 1, 10))

/** Whether an attempt at a time may send the message a second time. A clock that was set back is not relied on. */
const isForgotten = (doubtSinceMs: number | null, atMs: number): boolean =>
  doubtSinceMs !== null && (atMs < doubtSinceMs || atMs + attemptSpanMs > doubtSinceMs + nonceMemoryMs)

const reportUnknown = (detail: string | null): AttemptVerdict => ({
  _tag: 'Unknown',
  detail:
    'The platform may have the message and has forgotten its nonce, so it is not sent again. ' +
    `Look into the channel.${detail === null ? '' : ` ${detail}`}`,
})

/** The refusal is about this attempt, and says nothing about the earlier one that had no answer. */
const reportRefusedInDoubt = (detail: string): AttemptVerdict => ({
  _tag: 'Unknown',
  detail: `The platform refused the message, but may have it from an earlier attempt without an answer. \
Look into the channel. ${detail}`,
})

const refuseExpired = (code: number | null, detail: string | null): AttemptVerdict => ({
  _tag: 'Refused',
  code,
  detail: `The message cannot be sent within 24 hours.${detail === null ? '' : ` ${detail}`}`,
})

/** Why a queued message is not attempted any more; null where it is. */
export const whyNotAttempted = (
  delivery: AttemptedDelivery & { readonly code: number | null; readonly detail: string | null },
  nowMs: number,
): AttemptVerdict | null => {
  if (isForgotten(delivery.doubtSinceMs, nowMs)) return reportUnknown(delivery.detail)
  return nowMs - delivery.queuedMs > deliveryLifeMs ? refuseExpired(delivery.code, delivery.detail) : null
}

const waitFor = (
  delivery: AttemptedDelivery,
  holds: 'message' | 'channel' | 'all',
  waits: Waits,
): AttemptVerdict => {
  const { untilMs, doubtSinceMs, code, detail } = waits
  if (isForgotten(doubtSinceMs, untilMs)) return reportUnknown(detail)
  return untilMs - delivery.queuedMs > deliveryLifeMs
    ? refuseExpired(code, detail)
    : { _tag: 'Wait', holds, ...waits }
}

const describeMissing = (
  { category, channel }: AttemptedDelivery,
  { _tag }: Extract<SendOutcome, { _tag: 'NoChannel' }>['found'],
): string =>
  _tag === 'Several'
    ? `The guild has several channels "${category}/${channel}". Rename all but one.`
    : `The guild has no channel "${category}/${channel}" that the bot sees. \
Create it, correct the name, or let the bot see it.`

const heldAll: ReadonlySet<ChatFailure['_tag']> = new Set([
  'NoBotToken',
  'NoChatApi',
  'ChatDisabled',
  'BotTokenRefused',
  'InvalidBudgetSpent',
])

/** The doubt that earlier attempts left: the start of an attempt is on record as doubt until it is judged. */
const earlierDoubt = ({ doubtSinceMs }: AttemptedDelivery, beganMs: number): number | null =>
  doubtSinceMs === beganMs ? null : doubtSinceMs

const judgeFailure = (
  delivery: AttemptedDelivery,
  failure: ChatFailure,
  beganMs: number,
  nowMs: number,
): AttemptVerdict => {
  const { detail, retryAfterMs, mayBeDone } = failure
  const doubtSinceMs = earlierDoubt(delivery, beganMs) ?? (mayBeDone ? beganMs : null)
  const code = failure.refusal?.code ?? null
  // The outbox takes whole milliseconds, and the courier names what is left on a clock that has fractions.
  const wait = (holds: 'message' | 'channel' | 'all', ms: number): AttemptVerdict =>
    waitFor(delivery, holds, { untilMs: nowMs + Math.ceil(ms), doubtSinceMs, code, detail })
  if (heldAll.has(failure._tag)) return wait('all', retryAfterMs ?? holdMs)
  if (failure.refusal?.isOfClient === true) return wait('all', holdMs)
  if (failure._tag === 'ChatRefused') {
    const status = failure.refusal?.status
    if (status === 403 || status === 404) return wait('channel', holdMs)
    return doubtSinceMs === null ? { _tag: 'Refused', code, detail } : reportRefusedInDoubt(detail)
  }
  return wait('message', Math.max(retryAfterMs ?? 0, pauseMs(delivery.attempts)))
}

/**
 * Decides what follows from an attempt that began at `beganMs`, on the record of the message with that attempt. A
 * channel that does not work (403, 404, no such channel) holds its messages; a token that does not work, and a
 * refusal of this host as a client, hold all. The message itself stays queued.
 */
export const judgeAttempt = (
  delivery: AttemptedDelivery,
  outcome: SendOutcome,
  beganMs: number,
  nowMs: number,
): AttemptVerdict => {
  switch (outcome._tag) {
    case 'Sent':
      return outcome
    case 'Failed':
      return judgeFailure(delivery, outcome.failure, beganMs, nowMs)
    case 'NoChannel': {
      const detail = describeMissing(delivery, outcome.found)
      const doubtSinceMs = earlierDoubt(delivery, beganMs)
      return waitFor(delivery, 'channel', { untilMs: nowMs + holdMs, doubtSinceMs, code: null, detail })
    }
  }
}

import { createHash } from 'node:crypto'
import { foldSigns, isBlank, nfc, type Snowflake } from '#protocol/atoms.js'
import type { ChatFailure, PlatformChannel } from '#protocol/chat/platform.js'
import { lossFault } from '#src/domain/lore/rows/rows.js'
import { isReservedName } from '#src/domain/people/roster.js'

/** How an attempt to send a message ended. */
export type SendOutcome =
  | { readonly _tag: 'Sent'; readonly messageId: string }
  | { readonly _tag: 'NoChannel'; readonly found: Exclude<FoundChannel, { readonly _tag: 'Found' }> }
  | { readonly _tag: 'Failed'; readonly failure: ChatFailure }

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

/** Why a queued message is not attempted any more; null where it is. */
export const whyNotAttempted = (
  delivery: AttemptedDelivery & { readonly code: number | null; readonly detail: string | null },
  nowMs: number,
): AttemptVerdict | null => {
  if (isForgotten(delivery.doubtSinceMs, nowMs)) return reportUnknown(delivery.detail)
  return nowMs - delivery.queuedMs > deliveryLifeMs ? refuseExpired(delivery.code, delivery.detail) : null
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

/** The channels of a guild that have a name; `count` is how many of several. */
export type FoundChannel =
  | { readonly _tag: 'Found'; readonly id: Snowflake }
  | { readonly _tag: 'Missing' }
  | { readonly _tag: 'Several'; readonly count: number }

/**
 * Finds the channel of a name below the categories of a name. Names are compared letter by letter in NFC; where no
 * channel has such a name, by `foldSigns`.
 */
export const findChannel = (channels: ReadonlyArray<PlatformChannel>, name: ChannelName): FoundChannel => {
  const written = channelsBy(nfc, channels, name)
  const found = written.length > 0 ? written : channelsBy(foldSigns, channels, name)
  const [first, ...others] = found
  if (first === undefined) return { _tag: 'Missing' }
  return others.length > 0 ? { _tag: 'Several', count: found.length } : { _tag: 'Found', id: first.id }
}

/** What is wrong with the text of a message; null where nothing is. Characters are code points. */
export const findMessageFault = (text: string | undefined): 'missing' | 'too_long' | 'lost' | null => {
  if (text === undefined || isBlank(text)) return 'missing'
  if (text.length > messageCharsMax && Array.from(text).length > messageCharsMax) return 'too_long'
  return lossFault(text) === null ? null : 'lost'
}

/** A nonce made of parts: equal parts make one message for the platform, whichever host sends it. */
export const nonceOf = (...parts: ReadonlyArray<string>): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, nonceLength)

/**
 * A text of the lore or of a commit as a part of a message, which the platform shows as it is written: on one line,
 * with at most 200 characters, and with its Markdown escaped, so that it is no link, mention or picture.
 */
export const escapeChatText = (text: string): string =>
  shortenChars(text.replace(forging, ' ').trim()).replace(/[\\*_~`|>#[\]()<]|:(?=\/\/)/g, '\\$&')

/**
 * Puts texts into as few messages as take them in their order, with `between` between two. A text that no message
 * takes whole is parted. Lengths are code points.
 */
export const packTexts = (texts: ReadonlyArray<string>, between = '\n\n'): ReadonlyArray<string> => {
  const messages: Array<string> = []
  let last: ReadonlyArray<string> = []
  for (const text of texts) {
    const joined =
      last.length === 0 ? Array.from(text) : [...last, ...Array.from(between), ...Array.from(text)]
    if (joined.length <= messageCharsMax) {
      last = joined
      continue
    }
    if (last.length > 0) messages.push(last.join(''))
    last = Array.from(text)
    for (; last.length > messageCharsMax; last = last.slice(messageCharsMax))
      messages.push(last.slice(0, messageCharsMax).join(''))
  }
  return last.length === 0 ? messages : [...messages, last.join('')]
}

/** The most characters of a message that the platform takes. */
export const messageCharsMax = 2_000

/**
 * The text that announces what a converge brought, in Polish: at most `authorsMax` persons are named, the others
 * are counted. The names that the daemon writes for itself are no persons.
 */
export const describeConverge = ({ commits, authors }: BroughtCommits, authorsMax: number): string => {
  const persons = [...new Set(authors.map(trimName))].filter(name => name !== '' && !isReservedName(name))
  const named = persons.slice(0, Math.min(authorsMax, personsMax)).map(escapeChatText)
  const others = persons.length - named.length
  const who = [
    ...(named.length > 0 ? [named.join(', ')] : []),
    ...(others > 0 ? [`inne osoby: ${others}`] : []),
  ]
  const people = who.length === 0 ? '' : ` Autorzy: ${who.join('; ')}.`
  return `Nowe zmiany w kronice: ${commits}.${people}`
}

/** What decides the next step of a queued message, in wall milliseconds. */
interface AttemptedDelivery {
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

const categoryType = 4
/** Channels of texts and of announcements: the only ones that a message is sent to. */
const textTypes: ReadonlyArray<number> = [0, 5]

interface ChannelName {
  readonly category: string
  readonly channel: string
}

const channelsBy = (
  keyOf: (name: string) => string,
  channels: ReadonlyArray<PlatformChannel>,
  name: ChannelName,
): ReadonlyArray<PlatformChannel> => {
  const [category, channel] = [keyOf(name.category), keyOf(name.channel)]
  const parents = new Set(
    channels.filter(one => one.type === categoryType && keyOf(one.name) === category).map(one => one.id),
  )
  return channels.filter(
    ({ type, name: own, parent_id: parent }) =>
      textTypes.includes(type) && keyOf(own) === channel && typeof parent === 'string' && parents.has(parent),
  )
}

/** The most characters of a nonce that the platform takes. */
const nonceLength = 25

/** Characters that end a line, hide text or turn its direction. */
const forging = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** The most characters of one text of the lore, so that a long one leaves room for the others. */
const charsMax = 200

const shortenChars = (text: string): string => {
  if (text.length <= charsMax) return text
  const chars = Array.from(text)
  return chars.length <= charsMax ? text : `${chars.slice(0, charsMax - 1).join('')}…`
}

/** Commits that a converge brought, with the name of each author. */
interface BroughtCommits {
  readonly commits: number
  readonly authors: ReadonlyArray<string>
}

/** The most persons that a text has room for, and the most characters of a name. */
const personsMax = 15
const nameCharsMax = 60

/** A name on one line and short, as authors of commits may be anything. */
const trimName = (name: string): string =>
  Array.from(name.replace(/\p{C}/gu, ' ')).slice(0, nameCharsMax).join('').trim()

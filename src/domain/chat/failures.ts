import type { ChatFailure } from '#protocol/chat/platform.js'
import { isWebPage } from '#src/domain/outbound/web-page.js'

const failure = (
  tag: ChatFailure['_tag'],
  detail: string,
  retryAfterMs: number | null = null,
): ChatFailure => ({ _tag: tag, detail, retryAfterMs, mayBeDone: false, refusal: null })

/** The failure of a call of which an attempt ended without an answer. */
export const withDoubt = (one: ChatFailure): ChatFailure => ({ ...one, mayBeDone: true })

/** A difference of monotonic times has a rounding error, which must not make a second more. */
const secondsOf = (ms: number): string => `${Math.ceil(Math.round(ms) / 1000)} s`

export const noBotToken = failure(
  'NoBotToken',
  'This host has no bot token; set SVC_CHAT_BOT_TOKEN or SVC_CHAT_BOT_TOKEN_FILE and start it again.',
)

export const noChatApi = failure(
  'NoChatApi',
  'integrations.chat.api_url is empty or not an https address; http is allowed for loopback only.',
)

export const noGuild = failure(
  'ChatDisabled',
  'integrations.chat.guild_id is empty or not an id, so no channel can be found. Set it in .svc/config.json.',
)

export const chatDisabled = failure(
  'ChatDisabled',
  'integrations.chat.enabled is false, or integrations.chat.rate_per_minute is 0.',
)

export const courierBusy = failure(
  'CourierBusy',
  'Too many calls to the chat platform are waiting. Try again in a moment.',
  1_000,
)

export const courierAway = failure(
  'CourierBusy',
  'The chat courier is restarting. Try again in a moment.',
  1_000,
)

export const noAnswerInTime = failure(
  'NoAnswer',
  'The chat platform did not answer in time. Try again in a moment.',
  5_000,
)

/** The failure of a call after its last request; `reason` is how that one ended. */
export const noAnswer = (reason: string): ChatFailure =>
  withDoubt(
    failure(
      'NoAnswer',
      `The chat platform gave no usable answer (${reason}). ` +
        'If this goes on, check integrations.chat.api_url and the network.',
      5_000,
    ),
  )

export const rateLimited = (waitMs: number): ChatFailure =>
  failure(
    'RateLimited',
    `The chat platform has had too many requests (429); it allows this call in ${secondsOf(waitMs)} at the earliest.`,
    waitMs,
  )

export const tokenRefused = (waitMs: number): ChatFailure =>
  failure(
    'BotTokenRefused',
    `The chat platform refused the bot token (401); no call is made for ${secondsOf(waitMs)}. Set a new token.`,
    waitMs,
  )

export const budgetSpent = (waitMs: number): ChatFailure =>
  failure(
    'InvalidBudgetSpent',
    `1,000 answers of 401, 403 or 429 in ten minutes: nothing is asked for ${secondsOf(waitMs)}, for ten times as ` +
      'many ban the address. Check the rights of the bot, and who else uses its token.',
    waitMs,
  )

/** What the operator can do about a refusal of one call. */
const mendOf = (status: number): string =>
  [403, 404].includes(status)
    ? 'Check the rights of the bot and the ids in the configuration.'
    : 'The documentation of the platform says what it does not accept.'

/** What the operator can do where every call is refused. */
const mendOfClient = (code: number | null): string =>
  code === null
    ? 'The answer is a web page: a proxy, a firewall or a sign-in page stands before the platform. ' +
      'Check integrations.chat.api_url and the network of this host.'
    : 'It refuses this host as a client, whatever the channel. Check what stands between this host and the platform: ' +
      'the user agent must arrive as it is sent, and the address of the host must not be blocked.'

export const chatRefused = (status: number, code: number | null, isOfClient = false): ChatFailure => ({
  ...failure(
    'ChatRefused',
    `The chat platform refused with ${status}${code === null ? '' : ` and its code ${code}`}. ${
      isOfClient ? mendOfClient(code) : mendOf(status)
    }`,
  ),
  refusal: { status, code, isOfClient },
})

/** The failure of an answer with this text, which is not that of the contract. */
export const badAnswer = (text: string): ChatFailure =>
  withDoubt(
    failure(
      'BadAnswer',
      isWebPage(text)
        ? 'A web page came in place of the answer of the chat platform, as from a proxy or a sign-in page. ' +
            'Check integrations.chat.api_url and the network of this host.'
        : 'The answer of the chat platform does not match its contract. Check integrations.chat.api_url.',
    ),
  )

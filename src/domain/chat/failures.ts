import type { ChatFailure } from '#protocol/chat/failure.js'

const failure = (
  tag: ChatFailure['_tag'],
  detail: string,
  retryAfterMs: number | null = null,
): ChatFailure => ({ _tag: tag, detail, retryAfterMs })

const secondsOf = (ms: number): string => `${Math.ceil(ms / 1000)} s`

export const noBotToken = failure(
  'NoBotToken',
  'This host has no bot token; set SVC_CHAT_BOT_TOKEN or SVC_CHAT_BOT_TOKEN_FILE and start it again.',
)

export const noChatApi = failure(
  'NoChatApi',
  'integrations.chat.api_url is not set, or no https address; http is taken for loopback alone.',
)

export const chatDisabled = failure(
  'ChatDisabled',
  'integrations.chat.enabled is false, or integrations.chat.rate_per_minute is 0.',
)

export const courierBusy = failure('CourierBusy', 'Too many calls of the chat platform wait.', 1_000)

export const courierAway = failure('CourierBusy', 'The chat courier is away; try again in a moment.', 1_000)

export const noAnswerInTime = failure('NoAnswer', 'The chat platform did not answer in time.', 5_000)

export const noAnswerAfter = (attempts: number, reason: string): ChatFailure =>
  failure('NoAnswer', `The chat platform did not answer in ${attempts} attempts: ${reason}.`, 5_000)

export const rateLimited = (waitMs: number): ChatFailure =>
  failure('RateLimited', `The chat platform takes this call in ${secondsOf(waitMs)} at the soonest.`, waitMs)

export const tokenRefused = (waitMs: number): ChatFailure =>
  failure(
    'BotTokenRefused',
    `The chat platform refused the bot token (401); nothing is asked for ${secondsOf(waitMs)}. Give it a new one.`,
    waitMs,
  )

export const budgetSpent = (waitMs: number): ChatFailure =>
  failure(
    'InvalidBudgetSpent',
    `1,000 answers of 401, 403 or 429 in ten minutes: nothing is asked for ${secondsOf(waitMs)}, for ten times as ` +
      'many ban the address. See the rights of the bot, and who else uses its token.',
    waitMs,
  )

export const chatRefused = (status: number, code: number | null): ChatFailure =>
  failure(
    'ChatRefused',
    `The chat platform refused with ${status}${code === null ? '' : ` and its code ${code}`}. ` +
      'See the rights of the bot and the ids in the configuration.',
  )

export const badAnswer = failure(
  'BadAnswer',
  'The answer of the chat platform is not what its contract says; see integrations.chat.api_url.',
)

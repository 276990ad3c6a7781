import { isLeft } from 'fp-ts/lib/Either.js'
import {
  type ChatFailure,
  type Heard,
  type LimitScope,
  limitScopes,
  PlatformError,
} from '#protocol/chat/platform.js'
import { parseJson } from '#src/domain/json/json-text.js'
import { defaultWaitMs, isWebPage, retryAfterMs, secondsToWaitMs } from '#src/domain/outbound/outbound.js'

/** The failure of a call of which an attempt ended without an answer. */
export const withDoubt = (one: ChatFailure): ChatFailure => ({ ...one, mayBeDone: true })

const failure = (
  tag: ChatFailure['_tag'],
  detail: string,
  retryAfterMs: number | null = null,
): ChatFailure => ({ _tag: tag, detail, retryAfterMs, mayBeDone: false, refusal: null })

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

/** The meaning of an attempt for its call. */
export type Verdict =
  | { readonly _tag: 'Done'; readonly text: string }
  | { readonly _tag: 'Limited'; readonly waitMs: number; readonly scope: LimitScope }
  /** 401: the platform does not accept the token of the bot. */
  | { readonly _tag: 'TokenRefused' }
  /**
   * The platform would answer a repetition the same way. `code` is the platform's own. `isOfClient`: every call of
   * this host is refused so, whatever it asks for.
   */
  | {
      readonly _tag: 'Refused'
      readonly status: number
      readonly code: number | null
      readonly isOfClient: boolean
    }
  /** No answer, or a failure of the platform: another attempt may succeed. */
  | { readonly _tag: 'Failed'; readonly reason: string }

/** Judges an attempt. `attempt` counts from 0; `nowMs` is wall time, for a `Retry-After` that is a date. */
export const verdictOf = (heard: Heard, attempt: number, nowMs: number): Verdict => {
  if (heard._tag === 'NoAnswer') return { _tag: 'Failed', reason: heard.reason }
  const { status, text } = heard
  if (status >= 200 && status < 300) return { _tag: 'Done', text }
  const isPage = isWebPage(text)
  if (status === 429) return limitVerdict(heard, attempt, nowMs)
  if (status < 500 && isPage) return { _tag: 'Refused', status, code: null, isOfClient: true }
  if (status === 401) return { _tag: 'TokenRefused' }
  if (status >= 500)
    return { _tag: 'Failed', reason: `status ${status}${isPage ? ', with a web page in place of data' : ''}` }
  const code = codeOf(text)
  return { _tag: 'Refused', status, code, isOfClient: code === rejectedClient }
}

/** A difference of monotonic times has a rounding error, which must not make a second more. */
const secondsOf = (ms: number): string => `${Math.ceil(Math.round(ms) / 1000)} s`

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

type Answer = Extract<Heard, { _tag: 'Answer' }>

/** The platform's code for a client that it does not let in, for its user agent or its address. */
const rejectedClient = 40_333

/** The body of a refusal, as far as it can be parsed. */
const errorOf = (text: string): { code?: number; retry_after?: number; global?: boolean } | null => {
  const decoded = PlatformError.decode(parseJson(text))
  return isLeft(decoded) ? null : decoded.right
}

/** The platform's own code; null where there is none, or none that a record can hold. */
const codeOf = (text: string): number | null => {
  const code = errorOf(text)?.code
  return code !== undefined && Number.isSafeInteger(code) ? code : null
}

const scopeOf = ({ headers }: Answer, error: { readonly global?: boolean } | null): LimitScope => {
  if (headers['x-ratelimit-global'] === 'true' || error?.global === true) return 'global'
  const told = limitScopes.find(scope => scope === headers['x-ratelimit-scope'])
  if (told !== undefined) return told
  // Without these marks, a 429 comes from a proxy in front of the platform and concerns the whole address.
  return error?.global === undefined && headers['x-ratelimit-bucket'] === undefined ? 'global' : 'user'
}

const limitVerdict = (answer: Answer, attempt: number, nowMs: number): Verdict => {
  const error = errorOf(answer.text)
  const told = [
    retryAfterMs(answer.headers['retry-after'], nowMs),
    error?.retry_after === undefined ? null : secondsToWaitMs(error.retry_after),
  ].filter(wait => wait !== null)
  return {
    _tag: 'Limited',
    waitMs: told.length === 0 ? defaultWaitMs(attempt) : Math.max(...told),
    scope: scopeOf(answer, error),
  }
}

import { isLeft } from 'fp-ts/lib/Either.js'
import { type Heard, type LimitScope, limitScopes, PlatformError } from '#protocol/chat/platform.js'
import { parseJson } from '#src/domain/json/parse-json.js'
import { defaultWaitMs, retryAfterMs, secondsToWaitMs } from '#src/domain/outbound/retry-after.js'
import { isWebPage } from '#src/domain/outbound/web-page.js'

type Answer = Extract<Heard, { _tag: 'Answer' }>

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

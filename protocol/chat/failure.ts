/**
 * Why a call of the chat platform failed. `detail` tells the operator what happened and what to do, and
 * contains no credential. `retryAfterMs` is null when waiting alone does not help.
 */
export interface ChatFailure {
  readonly _tag:
    | 'NoBotToken'
    | 'NoChatApi'
    | 'ChatDisabled'
    | 'BotTokenRefused'
    | 'RateLimited'
    | 'InvalidBudgetSpent'
    | 'ChatRefused'
    | 'NoAnswer'
    | 'BadAnswer'
    | 'CourierBusy'
  readonly detail: string
  readonly retryAfterMs: number | null
  /** Whether an attempt of the call ended without an answer, so that the platform may have carried it out. */
  readonly mayBeDone: boolean
  /** The status and the platform's own code of a refusal. `isOfClient`: it concerns every call of this host. */
  readonly refusal: {
    readonly status: number
    readonly code: number | null
    readonly isOfClient: boolean
  } | null
}

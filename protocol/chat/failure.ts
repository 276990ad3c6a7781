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
}

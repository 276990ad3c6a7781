/**
 * Why a call of the chat platform brought nothing. `detail` is for the operator: what happened and what to do; it
 * holds no credential. `retryAfterMs` is null where waiting alone does not help.
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

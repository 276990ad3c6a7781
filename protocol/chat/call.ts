/** One call of the chat platform's REST interface. */
export interface ChatCall {
  readonly method: 'GET' | 'PATCH' | 'POST'
  /** Template of the path. With the method it identifies a rate limit. */
  readonly route: string
  /** The id that splits rate limits: the guild or the channel. */
  readonly major: string
  /** Below the configured base. */
  readonly path: string
  /** JSON; null when the call has none. */
  readonly body: string | null
  /** Whether it sends a message, which `integrations.chat.rate_per_minute` counts. */
  readonly isMessage: boolean
}

export const silences = { timeout: null, network: null, too_large: null } as const

/** The result of one attempt: a whole answer, with header names in lower case, or none. */
export type Heard =
  | {
      readonly _tag: 'Answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  | { readonly _tag: 'NoAnswer'; readonly reason: keyof typeof silences }

/** The headers of an answer that are kept. */
export const heardHeaders = [
  'content-type',
  'retry-after',
  'via',
  'x-ratelimit-bucket',
  'x-ratelimit-global',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset-after',
  'x-ratelimit-scope',
] as const

export const limitScopes = ['user', 'global', 'shared'] as const
/** The scope of a 429: this bot in one bucket, this bot everywhere, or everybody at that resource. */
export type LimitScope = (typeof limitScopes)[number]

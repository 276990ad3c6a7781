/** Why a request or a connection was refused before a handler ran (METRICS `svc_http_rejected_total`). */
export type RejectReason =
  | 'auth'
  | 'route'
  | 'capability'
  | 'gate'
  | 'media_type'
  | 'body'
  | 'size'
  | 'shed'
  | 'rate'
  | 'connections'

/** Why a live stream ended (METRICS `svc_sse_disconnects_total`). */
export type StreamEnd = 'client' | 'slow' | 'shutdown' | 'fault' | 'revoked'

/**
 * What the front reports of every request. `route` is a template of the table, `none` where no row matched.
 */
export interface HttpMeter {
  readonly began: () => void
  /** Called at the last byte of the answer, or when the client left. */
  readonly ended: (method: string, route: string, code: number, seconds: number) => void
  readonly body: (route: string, bytes: number) => void
  readonly rejected: (reason: RejectReason, route: string) => void
  readonly handlerError: (route: string) => void
  readonly streamOpened: (clients: number) => void
  readonly streamEnded: (reason: StreamEnd, clients: number) => void
  readonly streamsUnsent: (bytes: number) => void
}

/**
 * A line of the request stream. It has only the names of query parameters, and a path without secrets;
 * `route` is the template, null where no row matched.
 */
export interface RequestRecord {
  readonly requestId: string
  readonly method: string
  readonly route: string | null
  readonly path: string | null
  readonly query: ReadonlyArray<string>
  readonly status: number
  readonly ms: number
  readonly kind: string | null
  readonly gracz: string | null
  /** Id and name of the named token of the caller. */
  readonly token: string | null
  readonly tokenName: string | null
  /** The request was refused because it had no answer in time. */
  readonly late?: true
}

/** What the front logs. Never a token, a query or a body; a path only as its template. */
export type HttpRecord =
  | {
      readonly event: 'http.fault'
      readonly requestId: string
      readonly route: string
      readonly reason: string
      readonly stack: string | null
    }
  | {
      readonly event: 'http.credential_refused'
      readonly requestId: string
      readonly method: string
      /** The network of the client: refusals are grouped by it, and it is not written anywhere (ADR 1021). */
      readonly network: string
    }
  | {
      readonly event: 'http.unavailable'
      readonly requestId: string
      readonly method: string
      readonly route: string
      readonly error: string
      readonly reason: string
    }
  | {
      readonly event: 'http.answer_dropped'
      readonly requestId: string
      readonly route: string
      /** The name of a refusal, or the form of the answer. */
      readonly outcome: string
      /** The commit that the answer would have named. */
      readonly commit: string | null
    }
  | { readonly event: 'http.look_failed'; readonly reason: string }
  | { readonly event: 'http.stream_failed'; readonly requestId: string; readonly reason: string }

export type HttpLog = (record: HttpRecord) => void

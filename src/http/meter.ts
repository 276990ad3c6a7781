/** Why a request was refused before its handler ran (METRICS `svc_http_rejected_total`). */
export type RejectReason = 'auth' | 'route' | 'capability' | 'gate' | 'media_type' | 'body' | 'size' | 'shed'

/** What the front tells of every request. `route` is a template of the table, `none` where no row matched. */
export interface HttpMeter {
  readonly began: () => void
  /** At the last byte of the answer, or when the client left. */
  readonly ended: (method: string, route: string, code: number, seconds: number) => void
  readonly body: (route: string, bytes: number) => void
  readonly rejected: (reason: RejectReason) => void
  readonly handlerError: (route: string) => void
}

/** What the front writes down. Never a token, a query or a body; a path only as its template. */
export type HttpRecord =
  | {
      readonly event: 'http.fault'
      readonly requestId: string
      readonly route: string
      readonly reason: string
      readonly stack: string | null
    }
  | { readonly event: 'http.credential_refused'; readonly requestId: string; readonly method: string }
  | { readonly event: 'http.look_failed'; readonly reason: string }

export type HttpLog = (record: HttpRecord) => void

import { dispatchRoutes } from '#protocol/chat/dispatch.js'
import type { Meter } from '#src/ports/records.js'

/** Meters the front under the names of `protocol/metric.ts`, and counts requests. */
export const httpMeter = (meter: Meter): HttpMeter & { readonly requests: () => number } => {
  let requests = 0
  let inFlight = 0
  return {
    requests: () => requests,
    began: () => {
      requests += 1
      inFlight += 1
      meter.gauge('svc_http_requests_in_flight', {}, inFlight)
    },
    ended: (method, route, code, seconds) => {
      inFlight -= 1
      meter.gauge('svc_http_requests_in_flight', {}, inFlight)
      meter.count('svc_http_requests_total', { method, route, code: String(code) })
      meter.observe('svc_http_request_duration_seconds', { method, route }, seconds)
    },
    body: (_route, bytes) => meter.observe('svc_http_request_body_bytes', {}, bytes),
    rejected: (reason, route) => {
      meter.count('svc_http_rejected_total', { reason })
      if (reason === 'body' && route === dispatchPath)
        meter.count('svc_dispatch_requests_total', { kind: 'none', result: 'bad' })
    },
    handlerError: route => meter.count('svc_http_handler_errors_total', { route }),
    streamOpened: clients => meter.gauge('svc_sse_clients', {}, clients),
    streamEnded: (reason, clients) => {
      meter.gauge('svc_sse_clients', {}, clients)
      meter.count('svc_sse_disconnects_total', { reason })
    },
    streamsUnsent: bytes => meter.gauge('svc_sse_buffered_bytes', {}, bytes),
  }
}

/**
 * The reasons for which the pipeline refuses a request before a handler runs, or the listener a connection
 * (METRICS).
 */
type Reason =
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

type StreamEnd = 'client' | 'slow' | 'shutdown' | 'fault' | 'revoked'

interface HttpMeter {
  readonly began: () => void
  readonly ended: (method: string, route: string, code: number, seconds: number) => void
  readonly body: (route: string, bytes: number) => void
  readonly rejected: (reason: Reason, route: string) => void
  readonly handlerError: (route: string) => void
  readonly streamOpened: (clients: number) => void
  readonly streamEnded: (reason: StreamEnd, clients: number) => void
  readonly streamsUnsent: (bytes: number) => void
}

/** A body that this row cannot decode is a dispatch that has no kind, so the front alone knows of it. */
const dispatchPath = dispatchRoutes['chat.dispatch.add'].path

import { refuse } from '#protocol/refusal.js'
import type { FrontDeps } from '../routing/deps.js'
import { answerPage, isPageRequest } from './pages.js'
import { type ReplyTarget, refusalBody } from './write.js'

const exposition = 'text/plain; version=0.0.4; charset=utf-8'
const json = 'application/json; charset=utf-8'

const endReply = (reply: ReplyTarget, status: number, type: string, body: string | Buffer): void => {
  if (reply.res.destroyed || reply.res.headersSent) return
  reply.res.writeHead(status, [
    'Content-Type',
    type,
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Cache-Control',
    'no-store',
    'X-Request-Id',
    reply.requestId,
    ...(status === 503 ? ['Retry-After', '1'] : []),
    ...(reply.last ? ['Connection', 'close'] : []),
  ])
  reply.res.end(body)
}

const ok = JSON.stringify({ status: 'ok' })

/** Answers with the metrics; a fault of a collector is a 500, which Prometheus counts as a failed scrape. */
const answerMetrics = async (deps: FrontDeps, reply: ReplyTarget): Promise<void> => {
  try {
    endReply(reply, 200, exposition, await deps.metricsText())
  } catch (error) {
    deps.log({
      event: 'http.fault',
      requestId: reply.requestId,
      route: '/metrics',
      reason: error instanceof Error ? error.message : String(error),
      stack: null,
    })
    endReply(
      reply,
      500,
      json,
      refusalBody(refuse('Internal', 'The metrics could not be collected. The log of this host says why.')),
    )
  }
}

const gone = 'The repository was moved, removed or replaced; GET /sync and the log say what to do.'

/** Ready from the first snapshot on, as long as the repository that it was read from exists. */
const answerReadiness = (deps: FrontDeps, reply: ReplyTarget): void =>
  deps.node.isGone()
    ? endReply(reply, 503, json, refusalBody(refuse('SnapshotStale', gone)))
    : deps.snapshot() === null
      ? endReply(reply, 503, json, refusalBody(refuse('Starting', 'The lore is being read.')))
      : endReply(reply, 200, json, ok)

/**
 * Answers `/metrics`, `/livez`, `/readyz` (D5) and the pages for people; returns false to leave the request
 * to the pipeline.
 */
export const answerOperations =
  (deps: FrontDeps) =>
  async (path: string, method: string, accept: string | undefined, reply: ReplyTarget): Promise<boolean> => {
    if (method !== 'GET' && method !== 'HEAD') return false
    if (path === '/metrics') await answerMetrics(deps, reply)
    else if (path === '/readyz') answerReadiness(deps, reply)
    else if (path === '/livez') endReply(reply, 200, json, ok)
    else if (isPageRequest(path, accept)) await answerPage(deps, path, reply)
    else return false
    return true
  }

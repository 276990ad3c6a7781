import type * as t from 'io-ts'
import type { BlockCount, Mode } from '#protocol/host/discovery.js'
import { refuse } from '#protocol/refusal.js'
import { escapeHtml, htmlPage } from '#src/domain/html/page.js'
import { namesMedia } from '../checks/body.js'
import type { FrontOptions } from '../routing/call.js'
import { type ReplyTarget, refusalBody } from './write.js'

/**
 * Answers `/metrics`, `/livez`, `/readyz` (D5) and the pages for people; returns false to leave the request
 * to the pipeline.
 */
export const answerOperations =
  (front: FrontOptions) =>
  async (path: string, method: string, accept: string | undefined, reply: ReplyTarget): Promise<boolean> => {
    if (method !== 'GET' && method !== 'HEAD') return false
    if (path === '/metrics') await answerMetrics(front, reply)
    else if (path === '/readyz') answerReadiness(front, reply)
    else if (path === '/livez') endReply(reply, 200, json, ok)
    else if (isPageRequest(path, accept)) await answerPage(front, path, reply)
    else return false
    return true
  }

const html = 'text/html; charset=utf-8'
const policy =
  "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
const api = '/v1/api'
const reference = '/reference/'

const endPage = (reply: ReplyTarget, status: number, type: string, body: string | Buffer): void => {
  if (reply.res.destroyed || reply.res.headersSent) return
  reply.res.writeHead(status, [
    'Content-Type',
    type,
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Content-Security-Policy',
    policy,
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
    'Cache-Control',
    'no-store',
    'Vary',
    'Accept',
    'X-Request-Id',
    reply.requestId,
    ...(reply.last ? ['Connection', 'close'] : []),
  ])
  reply.res.end(body)
}

const hostStateOf = ({ node, snapshot }: FrontOptions): Parameters<typeof hostPage>[0] => {
  const current = snapshot()
  return {
    version: node.version,
    mode: node.mode(),
    readiness: node.isGone() ? 'gone' : current === null ? 'starting' : 'ready',
    entities: current?.entities.all.length ?? null,
    blocked: node.blockers().map(({ code, count }) => ({ code, count })),
  }
}

/** The name of the file for a path below `/reference/`; null for any other path. */
const fileNameOf = (path: string): string | null =>
  path === '/reference' || path === reference
    ? 'index.html'
    : path.startsWith(reference)
      ? path.slice(reference.length)
      : null

/**
 * Whether a page answers a GET of the path: outside `/v1/api`, and only where `Accept` names the type of the
 * page, `text/html`, or `text/css` for a style sheet.
 */
const isPageRequest = (path: string, accept: string | undefined): boolean =>
  path !== api &&
  !path.startsWith(`${api}/`) &&
  (namesMedia(accept, 'text/html') || (path.endsWith('.css') && namesMedia(accept, 'text/css')))

/** Answers with the page of the host, a file of the reference, or the page for a missing path. */
const answerPage = async (front: FrontOptions, path: string, reply: ReplyTarget): Promise<void> => {
  const name = fileNameOf(path)
  const file = name === null ? null : await front.readReference(name)
  if (file !== null) endPage(reply, 200, file.type, file.bytes)
  else if (path === '/') endPage(reply, 200, html, hostPage(hostStateOf(front)))
  else endPage(reply, 404, html, notFoundPage())
}

/** What the page of the host shows: the public part of `GET /health`. */
interface HostState {
  readonly version: string
  readonly mode: Mode
  readonly readiness: 'ready' | 'starting' | 'gone'
  /** The number of blocks in the snapshot; null before the first. */
  readonly entities: number | null
  readonly blocked: ReadonlyArray<t.TypeOf<typeof BlockCount>>
}

const readinessTexts: Readonly<Record<HostState['readiness'], string>> = {
  ready: 'The host serves the lore.',
  starting: 'The host is reading the lore; most routes are refused until it has finished.',
  gone: 'The repository was moved, removed or replaced. The log says what to do.',
}

const renderBlocker = ({ code, count }: HostState['blocked'][number]): string =>
  `<li><code>${escapeHtml(code)}</code>: ${escapeHtml(String(count))}</li>`

const renderBlockers = ({ blocked }: HostState): string =>
  blocked.length === 0
    ? '<p>It can write.</p>'
    : `<p>What blocks writes, or will:</p>\n<ul>\n${blocked.map(renderBlocker).join('\n')}\n</ul>`

/** `/` of the operations listener, for a browser: what the host is, its state, and links. */
const hostPage = (state: HostState): string =>
  htmlPage(
    'Host',
    [
      '<h1>Kronika</h1>',
      '<p>The daemon of a role-playing community: it serves the lore of a git repository as JSON.</p>',
      '<h2>State</h2>',
      `<p>${escapeHtml(readinessTexts[state.readiness])}</p>`,
      '<ul>',
      `<li>Version: ${escapeHtml(state.version)}</li>`,
      `<li>Mode: ${escapeHtml(state.mode)}</li>`,
      `<li>Entities: ${state.entities === null ? 'not read yet' : escapeHtml(String(state.entities))}</li>`,
      '</ul>',
      renderBlockers(state),
      '<h2>Links</h2>',
      '<ul>',
      '<li><a href="/reference/">Reference</a>: routes, refusals, events, configuration, metrics, exit codes</li>',
      '<li><a href="/v1/api/health">Health</a> and <a href="/v1/api/routes">routes</a>, as JSON</li>',
      '<li><a href="/metrics">Metrics</a>, <a href="/livez">liveness</a>, <a href="/readyz">readiness</a></li>',
      '</ul>',
    ].join('\n'),
  )

/**
 * The page for a path of the operations listener that does not exist. It does not repeat the path, which may
 * have a credential in it.
 */
const notFoundPage = (): string =>
  htmlPage(
    'Not found',
    [
      '<h1>Not found</h1>',
      '<p>Nothing is served at this path.</p>',
      '<p><a href="/">The page of this host</a> lists what is served.</p>',
    ].join('\n'),
  )

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
const answerMetrics = async (front: FrontOptions, reply: ReplyTarget): Promise<void> => {
  try {
    endReply(reply, 200, exposition, await front.metricsText())
  } catch (error) {
    front.log({
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
const answerReadiness = (front: FrontOptions, reply: ReplyTarget): void =>
  front.node.isGone()
    ? endReply(reply, 503, json, refusalBody(refuse('SnapshotStale', gone)))
    : front.snapshot() === null
      ? endReply(reply, 503, json, refusalBody(refuse('Starting', 'The lore is being read.')))
      : endReply(reply, 200, json, ok)

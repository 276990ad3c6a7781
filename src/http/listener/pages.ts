import { namesMedia } from '../checks/accepts-media.js'
import type { FrontDeps } from '../routing/deps.js'
import { hostPage, notFoundPage } from './host-page.js'
import type { ReplyTarget } from './write.js'

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

const hostStateOf = ({ node, snapshot }: FrontDeps): Parameters<typeof hostPage>[0] => {
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
export const isPageRequest = (path: string, accept: string | undefined): boolean =>
  path !== api &&
  !path.startsWith(`${api}/`) &&
  (namesMedia(accept, 'text/html') || (path.endsWith('.css') && namesMedia(accept, 'text/css')))

/** Answers with the page of the host, a file of the reference, or the page for a missing path. */
export const answerPage = async (deps: FrontDeps, path: string, reply: ReplyTarget): Promise<void> => {
  const name = fileNameOf(path)
  const file = name === null ? null : await deps.readReference(name)
  if (file !== null) endPage(reply, 200, file.type, file.bytes)
  else if (path === '/') endPage(reply, 200, html, hostPage(hostStateOf(deps)))
  else endPage(reply, 404, html, notFoundPage())
}

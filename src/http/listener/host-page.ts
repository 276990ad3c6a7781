import type * as t from 'io-ts'
import type { BlockCount, Mode } from '#protocol/discovery.js'
import { escapeHtml, htmlPage } from '#src/domain/html/page.js'

/** What the page of the host shows: the public part of `GET /health`. */
export interface HostState {
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
export const hostPage = (state: HostState): string =>
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
export const notFoundPage = (): string =>
  htmlPage(
    'Not found',
    [
      '<h1>Not found</h1>',
      '<p>Nothing is served at this path.</p>',
      '<p><a href="/">The page of this host</a> lists what is served.</p>',
    ].join('\n'),
  )

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { routes } from '#protocol/routes.js'
import { indexPage } from '#src/reference/index-page.js'
import { alertGroupNames } from '#src/reference/monitoring/alerts.js'
import { renderDashboard } from '#src/reference/monitoring/dashboard.js'
import { dashboardNames } from '#src/reference/monitoring/dashboards.js'
import { renderRules } from '#src/reference/monitoring/rules.js'
import { alertTable, runbookIndex, runbookPage } from '#src/reference/monitoring/runbook.js'
import { openapi } from '#src/reference/openapi.js'
import type { ReferencePage } from '#src/reference/page.js'
import type { PageName } from '#src/reference/page-files.js'
import { markersOf, putBetween } from '#src/reference/put-between.js'
import { renderHtml } from '#src/reference/render-html.js'
import { renderMarkdown, renderPageBlock } from '#src/reference/render-markdown.js'
import { routesPage } from '#src/reference/routes-page.js'
import { styleSheet } from '#src/reference/style.js'
import {
  configPage,
  eventsPage,
  exitCodesPage,
  metricsPage,
  refusalsPage,
} from '#src/reference/table-pages.js'
import { packageVersion } from '../package-files.js'
import { putTree } from '../tree/actors.js'

/**
 * `npm run docs` writes what derives from the tables: docs/reference/, docs/runbook/, the rules and the dashboards in
 * deploy/, the tree in docs/architecture.md and the alerts in docs/spec/metrics.md. With `--check` it writes nothing
 * and fails where a document differs from its table.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url))

const currentText = (path: string): string | null => {
  try {
    return readFileSync(root + path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

const referencePages: ReadonlyArray<readonly [PageName, ReferencePage]> = [
  ['routes', routesPage(routes)],
  ['refusals', refusalsPage()],
  ['events', eventsPage()],
  ['config', configPage()],
  ['metrics', metricsPage()],
  ['exit-codes', exitCodesPage()],
]

const putAlerts = (document: string): string =>
  putBetween(markersOf('protocol/alerts/'), document, renderPageBlock(alertTable('../runbook/')))

const documents: Readonly<Record<string, string>> = {
  'docs/reference/openapi.json': `${JSON.stringify(openapi(routes, packageVersion()), null, 2)}\n`,
  ...Object.fromEntries(
    referencePages.flatMap(([name, page]) => [
      [`docs/reference/${name}.md`, renderMarkdown(page)],
      [`docs/reference/html/${name}.html`, renderHtml(page)],
    ]),
  ),
  'docs/reference/html/index.html': indexPage(referencePages),
  'docs/reference/html/style.css': styleSheet,
  'docs/runbook/README.md': renderMarkdown(runbookIndex()),
  ...Object.fromEntries(
    alertGroupNames.map(group => [`docs/runbook/${group}.md`, renderMarkdown(runbookPage(group))]),
  ),
  'deploy/prometheus/kronika.rules.yml': renderRules(),
  ...Object.fromEntries(dashboardNames.map(name => [`deploy/grafana/${name}.json`, renderDashboard(name)])),
  'docs/architecture.md': putTree(currentText('docs/architecture.md') ?? ''),
  'docs/spec/metrics.md': putAlerts(currentText('docs/spec/metrics.md') ?? ''),
}

const stale = Object.entries(documents).filter(([path, text]) => currentText(path) !== text)
if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stderr.write(`${path} differs from the tables; run npm run docs\n`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(root + path), { recursive: true })
    writeFileSync(root + path, text)
  }
  process.stdout.write(`${stale.length} of ${Object.keys(documents).length} documents written\n`)
}

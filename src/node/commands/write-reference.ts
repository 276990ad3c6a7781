import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { routes } from '#protocol/routes.js'
import { indexPage } from '#src/reference/index-page.js'
import { openapi } from '#src/reference/openapi.js'
import type { ReferencePage } from '#src/reference/page.js'
import type { PageName } from '#src/reference/page-files.js'
import { renderHtml } from '#src/reference/render-html.js'
import { renderMarkdown } from '#src/reference/render-markdown.js'
import { routesPage } from '#src/reference/routes-page.js'
import { styleSheet } from '#src/reference/style.js'
import {
  configPage,
  eventsPage,
  exitCodesPage,
  metricsPage,
  refusalsPage,
} from '#src/reference/table-pages.js'
import { putTree } from '../tree/draw-tree.js'
import { packageVersion } from '../version.js'

/**
 * `npm run docs` writes docs/reference/ from the tables, and the tree in docs/architecture.md from the table of actors.
 * With `--check` it writes nothing and fails where a document differs from its table.
 */

const folder = new URL('../../../docs/', import.meta.url)
const architecture = 'architecture.md'

const referencePages: ReadonlyArray<readonly [PageName, ReferencePage]> = [
  ['routes', routesPage(routes)],
  ['refusals', refusalsPage()],
  ['events', eventsPage()],
  ['config', configPage()],
  ['metrics', metricsPage()],
  ['exit-codes', exitCodesPage()],
]

const pages: Readonly<Record<string, string>> = {
  'reference/openapi.json': `${JSON.stringify(openapi(routes, packageVersion()), null, 2)}\n`,
  ...Object.fromEntries(
    referencePages.flatMap(([name, page]) => [
      [`reference/${name}.md`, renderMarkdown(page)],
      [`reference/html/${name}.html`, renderHtml(page)],
    ]),
  ),
  'reference/html/index.html': indexPage(referencePages),
  'reference/html/style.css': styleSheet,
  [architecture]: putTree(readFileSync(new URL(architecture, folder), 'utf8')),
}

const current = (name: string): string | null => {
  try {
    return readFileSync(new URL(name, folder), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

const stale = Object.entries(pages).filter(([name, text]) => current(name) !== text)
if (process.argv.includes('--check')) {
  for (const [name] of stale) process.stderr.write(`docs/${name} differs from the tables; run npm run docs\n`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  mkdirSync(new URL('reference/html/', folder), { recursive: true })
  for (const [name, text] of stale) writeFileSync(new URL(name, folder), text)
  process.stdout.write(`${stale.length} of ${Object.keys(pages).length} documents written\n`)
}

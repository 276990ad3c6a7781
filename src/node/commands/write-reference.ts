import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { routes } from '#protocol/routes.js'
import {
  configPage,
  eventsPage,
  exitCodesPage,
  metricsPage,
  refusalsPage,
  routesPage,
} from '#src/reference/markdown.js'
import { openapi } from '#src/reference/openapi.js'
import { putTree } from '../tree/draw-tree.js'
import { packageVersion } from '../version.js'

/**
 * `npm run docs` writes docs/reference/ from the tables, and the tree in docs/architecture.md from the table of actors.
 * With `--check` it writes nothing and fails where a document differs from its table.
 */

const folder = new URL('../../../docs/', import.meta.url)
const architecture = 'architecture.md'

const pages: Readonly<Record<string, string>> = {
  'reference/openapi.json': `${JSON.stringify(openapi(routes, packageVersion()), null, 2)}\n`,
  'reference/routes.md': routesPage(routes),
  'reference/refusals.md': refusalsPage(),
  'reference/metrics.md': metricsPage(),
  'reference/config.md': configPage(),
  'reference/events.md': eventsPage(),
  'reference/exit-codes.md': exitCodesPage(),
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
  for (const [name] of stale)
    process.stderr.write(`docs/${name} is not what the tables say; run npm run docs\n`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  mkdirSync(new URL('reference/', folder), { recursive: true })
  for (const [name, text] of stale) writeFileSync(new URL(name, folder), text)
  process.stdout.write(`${stale.length} of ${Object.keys(pages).length} documents written\n`)
}

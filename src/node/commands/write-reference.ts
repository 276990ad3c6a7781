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

/**
 * `npm run docs` writes docs/reference/ from the tables; with `--check` it writes nothing and fails where
 * they differ.
 */

const folder = new URL('../../../docs/reference/', import.meta.url)

const packageVersion = (): string => {
  const found = /"version": "([^"]+)"/.exec(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  return found?.[1] ?? '0'
}

const pages: Readonly<Record<string, string>> = {
  'openapi.json': `${JSON.stringify(openapi(routes, packageVersion()), null, 2)}\n`,
  'routes.md': routesPage(routes),
  'refusals.md': refusalsPage(),
  'metrics.md': metricsPage(),
  'config.md': configPage(),
  'events.md': eventsPage(),
  'exit-codes.md': exitCodesPage(),
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
    process.stderr.write(`docs/reference/${name} is not what the tables say; run npm run docs\n`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of stale) writeFileSync(new URL(name, folder), text)
  process.stdout.write(`${stale.length} of ${Object.keys(pages).length} documents written\n`)
}

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of this process's bundles: below the checkout, so that its packages are found. */
const folder = join(root, 'var', `test-threads-${process.pid}`)

/**
 * Bundles an entry from its sources. A thread that loads one file starts in a tenth of the time that it takes
 * to load hundreds of sources through the TypeScript loader, which each thread needs for itself.
 */
export const bundleEntry = (entry: URL, name: string): URL => {
  const outfile = join(folder, `${name}.mjs`)
  mkdirSync(folder, { recursive: true })
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  buildSync({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    conditions: ['source'],
    logLevel: 'error',
  })
  return pathToFileURL(outfile)
}

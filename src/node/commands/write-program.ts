import { chmodSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { contentId, idFile } from '../build-id.js'

/**
 * `npm run build` bundles the program into the folder named as the argument: `src/main.js`,
 * the entries of its threads and the chunks that they load, all in one folder, and the id of the build beside it.
 * Native packages stay in node_modules.
 */

const nativePackages = ['better-sqlite3', 'dtrace-provider']

/** CommonJS packages that are bundled into modules still load node's modules with `require`. */
const requireOfNode = [
  "import { createRequire as requireFrom } from 'node:module'",
  'const require = requireFrom(import.meta.url)',
].join('\n')

const folder = resolve(process.argv[2] ?? 'dist')

await build({
  entryPoints: [
    'src/main.ts',
    'src/node/readers/reader-thread.ts',
    'src/node/search/rank-thread.ts',
    'src/node/search/build-thread.ts',
  ],
  outdir: join(folder, 'src'),
  entryNames: '[name]',
  chunkNames: 'chunk-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  conditions: ['source'],
  external: nativePackages,
  banner: { js: requireOfNode },
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
})
chmodSync(join(folder, 'src/main.js'), 0o755)
writeFileSync(join(folder, idFile), `${contentId(pathToFileURL(`${folder}/`))}\n`)

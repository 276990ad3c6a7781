import { chmodSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { contentId, idFile } from '../package-files.js'

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

/**
 * Replaces the plugins of restify, of which the daemon uses none, with an empty object. They load a table of media
 * types, parsers of SSH keys and of CSV: a fifth of what a start evaluates.
 */
const withoutRestifyPlugins: Plugin = {
  name: 'without-restify-plugins',
  setup: bundler => {
    bundler.onLoad({ filter: /restify.lib.plugins.index\.js$/ }, () => ({
      contents: 'module.exports = {}',
      loader: 'js',
    }))
  },
}

const folder = resolve(process.argv[2] ?? 'dist')

await build({
  entryPoints: [
    'src/main.ts',
    'src/node/readers/reader-thread.ts',
    'src/node/search/threads/rank-thread.ts',
    'src/node/search/threads/build-thread.ts',
    'src/node/transcripts/threads/index-thread.ts',
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
  plugins: [withoutRestifyPlugins],
  // Less to read at a start. Names stay, and lines stay short: node prints the line of an error that ends it.
  minifyWhitespace: true,
  lineLimit: 160,
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
})
chmodSync(join(folder, 'src/main.js'), 0o755)
writeFileSync(join(folder, idFile), `${contentId(pathToFileURL(`${folder}/`))}\n`)

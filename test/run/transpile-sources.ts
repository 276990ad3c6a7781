import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform } from 'esbuild'
import { jsonFiles, root, type Source, sources } from '#test/tidy/sources.js'
import { removeLeftRuns } from './run-folder.js'
import { outputFolderOf } from './transpiled.js'

const folders = ['protocol', 'src', 'actors', 'supervisors', 'test'] as const

/** Writes one source as JavaScript with its map. Its `import.meta` still names the source. */
const transpile = async ({ path, text }: Source, folder: string): Promise<void> => {
  const sourcefile = join(root, path)
  const { code, map } = await transform(text, {
    loader: 'ts',
    format: 'esm',
    target: 'node20.19',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    sourcefile,
    sourcemap: 'external',
    sourcesContent: false,
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(sourcefile).href),
      'import.meta.dirname': JSON.stringify(dirname(sourcefile)),
    },
  })
  const target = join(folder, path.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, code)
  writeFileSync(`${target}.map`, map)
}

/**
 * Writes the sources as JavaScript into a folder of this process, which is removed at its end, and returns the
 * folder. It is below the checkout, so that packages are found. A process of a run then loads its tests without
 * the TypeScript loader, in a third of the processor time.
 */
export const transpileSources = async (): Promise<string> => {
  const folder = join(root, outputFolderOf(process.pid))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(dirname(folder), { recursive: true })
  removeLeftRuns(dirname(folder))
  rmSync(folder, { recursive: true, force: true })
  const isProgram = (path: string): boolean => folders.some(name => path.startsWith(`${name}/`))
  await Promise.all(sources.filter(({ path }) => isProgram(path)).map(source => transpile(source, folder)))
  for (const path of jsonFiles.filter(isProgram)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(root, path), join(folder, path))
  }
  const imports = Object.fromEntries(folders.map(name => [`#${name}/*.js`, `./${name}/*.js`]))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', imports }))
  return folder
}

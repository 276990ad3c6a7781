import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#test/tidy/sources.js'
import { runProgram } from './installed.js'

const sqlite = join(root, 'node_modules/better-sqlite3')
export const sqliteBinary = 'build/Release/better_sqlite3.node'

/** The version that the package.json of a folder names. */
export const versionIn = (folder: string): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return String(Reflect.get(Object(manifest), 'version'))
}

/**
 * Packs the compiled SQLite of this checkout under the name that prebuild-install looks for, and returns the environment
 * in which an install finds it; an empty one where nothing is compiled here.
 */
export const packBinary = (folder: string): NodeJS.ProcessEnv => {
  if (!existsSync(join(sqlite, sqliteBinary))) return {}
  const host = `node-v${process.versions.modules}-${process.platform}-${process.arch}`
  const file = join(folder, `better-sqlite3-v${versionIn(sqlite)}-${host}.tar.gz`)
  runProgram('tar', ['-czf', file, '-C', sqlite, sqliteBinary], folder)
  return { npm_config_better_sqlite3_local_prebuilds: folder }
}

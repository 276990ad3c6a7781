import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ReadReference, ReferenceFile } from '#src/ports/host.js'
import { referenceFiles } from '#src/reference/page-files.js'

/** Where `npm run build` leaves the id, in the folder of the built program. */
export const idFile = 'build-id'

/**
 * The hash of a program: the names and bytes of its files, and what package.json and the lock file, in `root`
 * or above it, say of its dependencies. `root` is a folder and ends with a slash.
 */
export const contentId = (root: URL): string => {
  const base = fileURLToPath(root)
  const hash = createHash('sha256')
  const add = (name: string, path: string | URL): void => {
    const bytes = readFileSync(path)
    hash.update(`${name}\n${bytes.length}\n`).update(bytes)
  }
  for (const folder of folders)
    for (const path of [...filesIn(new URL(folder, root))].sort()) add(path.slice(base.length), path)
  for (const name of packages) {
    const place = [new URL(name, root), new URL(`../${name}`, root)].find(existsSync)
    if (place !== undefined) add(name, place)
  }
  return hash.digest('hex').slice(0, 32)
}

/**
 * Identifies this build of the program, including the version of Node that runs it. A built program reads the
 * id that the build stored; a program that runs from its sources computes it from them.
 */
export const buildId = (): string => {
  const id = existsSync(builtId) ? readFileSync(builtId, 'utf8').trim() : contentId(clone)
  return `${id} ${process.version}`
}

export const packageVersion = (): string => packageField('version')

/** The user agent that the chat platform asks for: the word for a bot, the address of the software, its version. */
export const chatUserAgent = (version: string): string =>
  `DiscordBot (${packageField('homepage')}, ${version})`

/**
 * Reads a page of the reference of this version, each file once. Reads only the listed names, so no path
 * leaves the folder. Null for any other name, and where the package was installed without its documents.
 */
export const readReference: ReadReference = async name => {
  const type = typeOf(name)
  if (type === undefined) return null
  const known = kept.get(name)
  if (known !== undefined) return known
  try {
    const file = { type, bytes: await readFile(new URL(name, folder)) }
    kept.set(name, file)
    return file
  } catch {
    return null
  }
}

/** Beside `src/` of a built program, all of whose files are in that folder; absent in the sources. */
const builtId = new URL(`../${idFile}`, import.meta.url)
/** The root of the clone, for a program that runs from its sources. */
const clone = new URL('../../', import.meta.url)
const folders = ['protocol', 'src', 'actors', 'supervisors'] as const
const packages = ['package.json', 'package-lock.json'] as const

const isProgram = (name: string): boolean =>
  name.endsWith('.js') || (name.endsWith('.ts') && !name.endsWith('.test.ts'))

const filesIn = (folder: URL): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap(entry =>
        entry.isFile() && isProgram(entry.name) ? [`${entry.parentPath}/${entry.name}`] : [],
      )
    : []

/** Above `src/node/` of the sources, and above `dist/src/`, where every file of a built program is. */
const packageFile = new URL('../../package.json', import.meta.url)

const packageField = (name: 'version' | 'homepage'): string => {
  const found: unknown = JSON.parse(readFileSync(packageFile, 'utf8'))
  const value: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, name) : null
  if (typeof value === 'string') return value
  throw new Error(`package.json of kronika names no ${name}`)
}

/** Relative to `src/node/` of the sources, and to `dist/src/`, where every file of a built program is. */
const folder = new URL('../../docs/reference/html/', import.meta.url)

const kept = new Map<string, ReferenceFile>()

const typeOf = (name: string): string | undefined =>
  Object.hasOwn(referenceFiles, name) ? referenceFiles[name] : undefined

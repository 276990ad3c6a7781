import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Only node itself and neighbours are imported here: the build runs this file before the program is in its place. */

/** Where `npm run build` leaves the id, in the folder of the built program. */
const idFile = 'build-id'
/** The folder that holds `src/`: `dist` of a built program, else the clone. */
const programFolder = new URL('../../', import.meta.url)
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

/**
 * The hash of a program: names and bytes of its files, and what package.json and the lock file, beside it or above, say
 * of its dependencies. `root` is a folder and ends with a slash.
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

/** The file with the id of the program that this module is a part of. */
export const buildIdPath = (): URL => new URL(idFile, programFolder)

/**
 * What tells this program from another build of it, the Node that runs it included. A built program reads the id that
 * the build left; from sources it is made of them.
 */
export const buildId = (): string => {
  const left = buildIdPath()
  const id = existsSync(left) ? readFileSync(left, 'utf8').trim() : contentId(programFolder)
  return `${id} ${process.version}`
}

import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readObjects } from '#test/support/plain-git.js'
import { type PlantedSecrets, secretCharsMax } from './secrets.js'

const partBytes = 4 * 1024 * 1024

/** Searches a file part by part; the parts overlap, so that a secret at a boundary is found. */
const tellFile = (secrets: PlantedSecrets, where: string, path: string): void => {
  const file = openIfThere(path)
  if (file === null) return
  try {
    const buffer = Buffer.alloc(partBytes + secretCharsMax)
    for (let at = 0; ; at += partBytes) {
      const read = readSync(file, buffer, 0, buffer.length, at)
      if (read > 0) secrets.told(where, buffer.toString('latin1', 0, read))
      if (read < buffer.length) return
    }
  } finally {
    closeSync(file)
  }
}

/** Opens a file; null where the thread that had it removed it meanwhile, as SQLite does with its log when it closes. */
const openIfThere = (path: string): number | null => {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (existsSync(path)) throw error
    return null
  }
}

const filesBelow = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(name => {
        const path = join(folder, name)
        const file = statSync(path, { throwIfNoEntry: false })?.isFile() === true
        return file ? [path] : []
      })
    : []

/**
 * Files in which a host stores secrets by design, readable only by its owner: they are read to know what to
 * search for.
 */
const isKept = (path: string): boolean => /^(?:machine\.token|.*\.(?:key|keys|pem))$/.test(basename(path))

const plantKept = (secrets: PlantedSecrets, path: string): void => {
  const parts = readFileSync(path, 'latin1').split(/-----[A-Z ]+-----|[",]/)
  for (const part of parts) secrets.plant(`what ${basename(path)} keeps`, part)
}

/** Searches everything that a host wrote into its state area: streams, journal, databases with their logs. */
export const tellState = (secrets: PlantedSecrets, state: string): void => {
  const files = filesBelow(state)
  for (const path of files.filter(isKept)) plantKept(secrets, path)
  for (const path of files.filter(one => !isKept(one)))
    tellFile(secrets, `the state area: ${path.slice(state.length + 1)}`, path)
}

const git = (repository: string, ...args: ReadonlyArray<string>): string => {
  const { stdout } = spawnSync('git', args, {
    cwd: repository,
    encoding: 'latin1',
    timeout: 10_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

const objectBytesMax = 24 * 1024 * 1024

const objectsKib = (repository: string): number =>
  [...git(repository, 'count-objects', '-v').matchAll(/^size(?:-pack)?: (\d+)$/gm)].reduce(
    (sum, found) => sum + Number(found[1]),
    0,
  )

/**
 * Searches every object of a repository, including unreachable ones; of a large one only what its last
 * commits changed.
 */
export const tellCommits = (secrets: PlantedSecrets, repository: string): void => {
  if (!existsSync(join(repository, '.git'))) return
  const plain = readObjects(repository, objectBytesMax)
  if (plain !== null) return secrets.told('a commit', plain)
  const all = ['cat-file', '--batch-all-objects', '--batch', '--unordered', '--buffer']
  const last = ['log', '--all', '-p', '--max-count=40']
  secrets.told('a commit', git(repository, ...(objectsKib(repository) * 1024 < objectBytesMax ? all : last)))
}

/** Searches the title of a process of this machine, and those of its children. */
export const tellTitles = (secrets: PlantedSecrets, pid: number): void => {
  const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'latin1') : '')
  try {
    secrets.told('a process title', read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))
    for (const child of read(`/proc/${pid}/task/${pid}/children`).split(' '))
      if (child !== '') secrets.told('a process title', read(`/proc/${child}/cmdline`).replaceAll('\0', ' '))
  } catch (error) {
    // A process that ended meanwhile has no title.
    if (!(error instanceof Error)) throw error
  }
}

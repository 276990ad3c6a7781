import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'kronika-run-'
const inMemory = '/dev/shm'
const roomBytesMin = 4 * 1024 ** 3

const freeBytes = (folder: string): number => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}

/**
 * Where the temporary folders of a run are made. Git and SQLite flush every write: in memory that costs
 * nothing, and results do not depend on the disk. The caller's `TMPDIR` has precedence, so `TMPDIR=/tmp npm
 * test` runs on the disk.
 */
export const temporaryRoot = (): string => {
  const isRoomy = Math.min(freeBytes(inMemory), process.availableMemory()) >= roomBytesMin
  return process.env['TMPDIR'] === undefined && isRoomy ? inMemory : tmpdir()
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The id of the process that made a folder of a run, from its name; null for another folder. */
export const ownerOf = (name: string): number | null => {
  const [, pid] = /^kronika-run-(\d{1,10})-/.exec(name) ?? []
  return pid === undefined ? null : Number(pid)
}

/**
 * Longer than any run is silent. A run in another container may share the folder, but has other process ids.
 */
const silentMsMax = 3_600_000

/** Removes the folders in `root` that interrupted runs left. */
export const removeLeftRuns = (root: string): void => {
  for (const name of readdirSync(root)) {
    const owner = ownerOf(name)
    if (owner === null || isAlive(owner)) continue
    const path = join(root, name)
    const touchedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - touchedMs > silentMsMax) rmSync(path, { recursive: true, force: true })
  }
}

const temporaryOf = (run: string): string => join(run, 'tmp')

/** Creates the folder of a run: the parts of its processes, and its tests' temporary files below `tmp`. */
export const makeRunFolder = (): string => {
  const root = temporaryRoot()
  removeLeftRuns(root)
  const run = mkdtempSync(join(root, `${prefix}${process.pid}-`))
  mkdirSync(temporaryOf(run))
  // Some tests run a process of another user, who needs access.
  chmodSync(run, 0o755)
  chmodSync(temporaryOf(run), 0o1777)
  return run
}

/** Makes this process and its children use temporary folders below the folder of the run. */
export const useRunFolder = (run: string): void => {
  process.env['TMPDIR'] = temporaryOf(run)
}

import { randomBytes } from 'node:crypto'
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isOwnGroup } from '../process-groups.js'
import { type Disk, isCode } from './disk.js'
import type { GitFolder } from './failure.js'
import { countStaleLock } from './index-lock.js'

/**
 * Chores are gits of ours that take locks which may also be a person's (`gc`, the removal of a ref, a fetch that
 * prunes). A mark file records each while it runs, so that the next process knows since when a lock may be one that a
 * killed chore left (ADR 1011).
 */

/** When this process began. It distinguishes the chores of this process from those of one that ended. */
export const bootMs = performance.timeOrigin

/**
 * Runs a chore under its mark and returns how it ended. A killed chore leaves the mark, and with it its locks, to the
 * next process.
 */
export const asChore = async <A extends { readonly code: number | null }>(
  disk: Disk,
  repo: string,
  chore: () => Promise<A>,
): Promise<A> => {
  const mark = join(folderOf(repo), randomBytes(6).toString('hex'))
  await disk.makeFolder(folderOf(repo))
  await disk.write(mark, Buffer.from(`${bootMs}\n`), 0o600)
  const ended = await chore()
  if (ended.code !== null) await disk.remove(mark)
  return ended
}

/**
 * Removes the locks that a killed chore left: made after it began and before this process did (`lifeMs`), and
 * only while no git is alive that could hold them. Where one is, or that cannot be determined, everything
 * stays for the next recovery.
 */
export const sweepChores = async (
  disk: Disk,
  repo: string,
  folder: () => Promise<GitFolder>,
  lifeMs: number,
): Promise<void> => {
  const open = await openChores(repo, lifeMs)
  if (open === null || !(await isQuiet(repo))) return
  for (const path of await lockPaths(await folder()))
    if (await isLeft(path, open.sinceMs, lifeMs)) {
      await disk.remove(path)
      countStaleLock(path)
    }
  for (const mark of open.marks) await disk.remove(mark)
}

/**
 * Other git processes in a checkout, including children that a killed daemon left (F7); null where the system
 * does not tell.
 */
export const listLivingGits = async (repo: string): Promise<ReadonlyArray<LivingGit> | null> => {
  const names = await readdir('/proc').catch(() => null)
  if (names === null) return null
  const found = await Promise.all(
    names.filter(name => /^\d+$/.test(name)).map(pid => inspectGitProcess(repo, pid)),
  )
  return found.flatMap(one => one ?? [])
}

const folderOf = (repo: string): string => join(repo, '.svc/state/chores')

/** File system clocks may run behind that of the process. */
const slackMs = 1_000
const waitsMs = [20, 50, 100, 200, 400, 800]

const namesIn = async (folder: string, recursive = false): Promise<ReadonlyArray<string>> => {
  try {
    return await readdir(folder, { recursive, encoding: 'utf8' })
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return []
    throw error
  }
}

interface OpenChores {
  readonly marks: ReadonlyArray<string>
  readonly sinceMs: number
}

/** The chores of processes that ended. Each began when its mark was made, by the clock of the file system. */
const openChores = async (repo: string, lifeMs: number): Promise<OpenChores | null> => {
  const all = (await namesIn(folderOf(repo))).map(name => join(folderOf(repo), name))
  const lives = await Promise.all(all.map(mark => readFile(mark, 'latin1')))
  const marks = all.filter((_mark, at) => lives[at]?.trim() !== String(lifeMs))
  if (marks.length === 0) return null
  const times = await Promise.all(marks.map(mark => stat(mark)))
  return { marks, sinceMs: Math.min(...times.map(({ mtimeMs }) => mtimeMs)) }
}

/** Every lock that a chore may take; the lock of the index is not among them. */
const lockPaths = async ({ head, objects }: GitFolder): Promise<ReadonlyArray<string>> => {
  const common = dirname(objects)
  const below = async (folder: string): Promise<ReadonlyArray<string>> =>
    (await namesIn(folder, true)).filter(name => name.endsWith('.lock')).map(name => join(folder, name))
  const folders = new Set([common, dirname(head)].flatMap(one => [join(one, 'refs'), join(one, 'logs')]))
  const nested = await Promise.all([...folders, join(objects, 'info')].map(below))
  const single = ['packed-refs.lock', 'packed-refs.new', 'gc.pid.lock'].map(name => join(common, name))
  return [`${head}.lock`, ...single, ...nested.flat()]
}

const isLeft = async (path: string, sinceMs: number, beforeMs: number): Promise<boolean> => {
  try {
    const { mtimeMs } = await stat(path)
    return mtimeMs >= sinceMs - slackMs && mtimeMs < beforeMs
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Whether no other git is alive in the checkout; waits briefly for one that a killed chore left (F7). */
const isQuiet = async (repo: string): Promise<boolean> => {
  const path = await realpath(repo)
  for (const waitMs of [...waitsMs, null]) {
    const living = await listLivingGits(path)
    if (living?.length === 0) return true
    if (living === null || waitMs === null) return false
    await new Promise(resolve => setTimeout(resolve, waitMs))
  }
  return false
}

/** A git process that works in a repository and that this process did not start. */
interface LivingGit {
  readonly pid: number
  readonly args: string
}

const textOf = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'latin1')
  } catch {
    return ''
  }
}

const readWorkingFolder = async (pid: string): Promise<string | null> => {
  try {
    return await readlink(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** The group comes after the name, which is in parentheses and may contain any character. */
const groupOf = (stat: string): number => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])

const isBelow = (path: string, repo: string): boolean => path === repo || path.startsWith(`${repo}/`)

const inspectGitProcess = async (repo: string, pid: string): Promise<LivingGit | null> => {
  const args = (await textOf(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ')
  if (!basename(args.split(' ')[0] ?? '').startsWith('git')) return null
  const cwd = await readWorkingFolder(pid)
  if (cwd === null || !isBelow(cwd, repo)) return null
  return isOwnGroup(groupOf(await textOf(`/proc/${pid}/stat`))) ? null : { pid: Number(pid), args }
}

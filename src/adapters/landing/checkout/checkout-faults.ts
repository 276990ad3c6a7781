import { constants } from 'node:fs'
import { access, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { BlockCode, CheckoutFault } from '#protocol/host/discovery.js'
import type { RepositoryStands } from '#src/adapters/git/checkout-state.js'
import { git } from '#src/adapters/git/git-command.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { CheckoutView, LookAtCheckout, ServedFile } from '#src/ports/git.js'
import { isCode, refusedPath } from '../disk.js'
import { type GitFolder, gitFolder, isOnBranch } from '../failure.js'
import { emptyIndex, type GitIndex, isLeftOut, UnreadableIndex } from '../index-file.js'
import { inodeOf, isOwnLock, readCurrentIndex } from '../index-lock.js'
import { type Conversions, type FilteredPath, openConversions } from './conversions.js'
import { type DirtyFinderOptions, dirtyFinder } from './dirty.js'

/** The first file of HEAD that a host reads and that has a filter with a command; null without one. */
export const findFilteredLore = async (repo: string): Promise<FilteredPath | null> => {
  const conversions = openConversions(repo)
  if (!(await conversions.hasFilters())) return null
  const listed = await git(['ls-tree', '-r', '-z', '--name-only', 'HEAD'], { cwd: repo })
  const paths = listed.stdout.toString('utf8').split('\0').filter(isRead)
  const [first] = await conversions.filtered(await gitFolder(repo), emptyIndex, paths)
  return first ?? null
}

/**
 * Opens a watch on a git checkout: whether it exists, what blocks writes of its git, and which files block writes.
 */
export const openCheckoutWatch = (options: CheckoutWatchOptions): LookAtCheckout => {
  const { repo, stands: isThere, atOnce, monotonicMs = realClock.monotonicMs } = options
  const findDirty = dirtyFinder(options)
  const findFaults = openFaultFinder({ repo, conversions: openConversions(repo), monotonicMs, atOnce })
  let folder: GitFolder | null = null
  return async files => {
    if (!(await isThere())) return gone
    folder = folder ?? (await gitFolder(repo))
    const detached = !(await isOnBranch(folder))
    const faults = await findFaults(folder, files)
    // Nothing can be compared with an index that no host reads.
    const dirty = faults.some(hidesFiles) ? null : await findDirty(folder, files)
    return { gone: false, detached, faults, dirty }
  }
}

/** A lock of another program counts when it has been there for this time: git holds one only briefly. */
const foreignLockMs = 5_000

interface FaultFinderOptions {
  readonly repo: string
  readonly conversions: Conversions
  readonly monotonicMs: () => number
  /** Whether a lock counts at the first look. */
  readonly atOnce: boolean
}

/** Looks at git's own files and at the filters of the served files. Rejects where the disk cannot be read. */
type FindFaults = (
  folder: GitFolder,
  files: ReadonlyArray<ServedFile>,
) => Promise<ReadonlyArray<CheckoutFault>>

const isRead = (path: string): boolean => path.endsWith('.md') || path.startsWith('.svc/')

/** The folder that all work trees of the clone share, with its refs and objects. */
const commonOf = ({ objects }: GitFolder): string => dirname(objects)

/** The file of the branch that HEAD names; null where it names none. */
const branchFile = async (folder: GitFolder): Promise<string | null> => {
  const name = /^ref: (refs\/heads\/.+)$/mu.exec(await readFile(folder.head, 'utf8'))?.[1]
  return name === undefined ? null : join(commonOf(folder), name)
}

const lockFiles = async (folder: GitFolder): Promise<ReadonlyArray<readonly [BlockCode, string]>> => {
  const branch = await branchFile(folder)
  return [
    ['index_lock', `${folder.index}.lock`],
    ['ref_lock', `${folder.head}.lock`],
    ...(branch === null ? [] : [['ref_lock', `${branch}.lock`] as const]),
  ]
}

/** Returns the function that finds the locks that another program has held long enough. */
const lockFinder = ({ repo, monotonicMs, atOnce }: FaultFinderOptions) => {
  let seen: ReadonlyMap<string, { readonly inode: bigint; readonly sinceMs: number }> = new Map()
  return async (folder: GitFolder): Promise<ReadonlyArray<CheckoutFault>> => {
    const next = new Map<string, { readonly inode: bigint; readonly sinceMs: number }>()
    const faults: Array<CheckoutFault> = []
    for (const [code, path] of await lockFiles(folder)) {
      const inode = await inodeOf(path)
      if (inode === null || (code === 'index_lock' && (await isOwnLock(folder)))) continue
      const known = seen.get(path)
      const sinceMs = known?.inode === inode ? known.sinceMs : monotonicMs()
      next.set(path, { inode, sinceMs })
      const file = relative(repo, path)
      if (atOnce || monotonicMs() - sinceMs >= foreignLockMs)
        faults.push({ code, reason: `Another program holds ${file}.`, files: [file] })
    }
    seen = next
    return faults
  }
}

/** The nearest folder of a path that exists. */
const existing = async (path: string): Promise<string> => {
  try {
    await stat(path)
    return path
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return existing(dirname(path))
    throw error
  }
}

const fanOut = /^[0-9a-f]{2}$/u

/** The folders in which a write makes files: of the objects, the refs, the index, the work tree, and the drafts. */
const writtenFolders = async (repo: string, folder: GitFolder): Promise<ReadonlyArray<string>> => {
  const branch = await branchFile(folder)
  const objects = (await readdir(folder.objects)).filter(name => fanOut.test(name))
  const wanted = [
    repo,
    join(repo, '.svc/state/checkout'),
    folder.own,
    dirname(folder.index),
    ...(branch === null ? [] : [dirname(branch)]),
    folder.objects,
    ...objects.map(name => join(folder.objects, name)),
  ]
  return [...new Set(await Promise.all(wanted.map(existing)))]
}

/** The folders that this process may not write: by their permissions, or on a file system that is read-only. */
const findReadOnly = async (repo: string, folder: GitFolder): Promise<ReadonlyArray<CheckoutFault>> => {
  const refused: Array<string> = []
  for (const path of await writtenFolders(repo, folder)) {
    try {
      await access(path, constants.W_OK | constants.X_OK)
    } catch (error) {
      if (refusedPath(error) === null && !isCode(error, 'ENOENT')) throw error
      if (refusedPath(error) !== null) refused.push(relative(repo, path) || '.')
    }
  }
  const rest = refused.length - 1
  return refused.length === 0
    ? []
    : [
        {
          code: 'repository_read_only',
          reason: `This host may not write ${refused[0]}${rest === 0 ? '' : ` and ${rest} more`}.`,
          files: refused,
        },
      ]
}

const readIndexOr = async (folder: GitFolder): Promise<GitIndex | CheckoutFault> => {
  try {
    return await readCurrentIndex(folder)
  } catch (error) {
    if (!(error instanceof UnreadableIndex)) throw error
    return { code: 'index_unreadable', reason: `Git's index cannot be used: ${error.message}.`, files: [] }
  }
}

/** Finds the filters that run a command. Git is asked only where the configuration has one and attributes apply. */
const findFiltered = async (
  { conversions }: FaultFinderOptions,
  folder: GitFolder,
  index: GitIndex,
  files: ReadonlyArray<ServedFile>,
): Promise<ReadonlyArray<CheckoutFault>> => {
  const filtered = await conversions.filtered(
    folder,
    index,
    files.map(({ path }) => path),
  )
  const names = [...new Set(filtered.map(({ filter }) => filter))].join(', ')
  return filtered.length === 0
    ? []
    : [
        {
          code: 'filter_command',
          reason: `These files have a filter of git that runs a command: ${names}. No host runs it.`,
          files: filtered.map(({ path }) => path),
        },
      ]
}

/** The served files that a sparse checkout leaves out. */
const findLeftOut = (index: GitIndex, files: ReadonlyArray<ServedFile>): ReadonlyArray<CheckoutFault> => {
  const left = files.filter(({ path }) => isLeftOut(index, path)).map(({ path }) => path)
  const reason = 'A sparse checkout leaves out files that the host reads.'
  return left.length === 0 ? [] : [{ code: 'index_unreadable', reason, files: left }]
}

/** Opens the look at what blocks writes beside the files themselves. */
const openFaultFinder = (options: FaultFinderOptions): FindFaults => {
  const findLocks = lockFinder(options)
  let known: { readonly stamp: string; readonly read: GitIndex | CheckoutFault } | null = null
  const indexNow = async (folder: GitFolder): Promise<GitIndex | CheckoutFault> => {
    const stamp = await stat(folder.index, { bigint: true }).then(
      ({ ino, size, mtimeNs, ctimeNs }) => `${ino}:${size}:${mtimeNs}:${ctimeNs}`,
      () => 'absent',
    )
    if (known?.stamp !== stamp)
      known = { stamp, read: stamp === 'absent' ? emptyIndex : await readIndexOr(folder) }
    return known.read
  }
  return async (folder, files) => {
    const index = await indexNow(folder)
    return [
      ...(await findLocks(folder)),
      ...(await findReadOnly(options.repo, folder)),
      ...('code' in index
        ? [index]
        : [...findLeftOut(index, files), ...(await findFiltered(options, folder, index, files))]),
    ]
  }
}

interface CheckoutWatchOptions extends DirtyFinderOptions {
  readonly stands: RepositoryStands
  /** Whether the first look reports a lock; otherwise one that has been there for 5 s is reported. */
  readonly atOnce: boolean
  readonly monotonicMs?: () => number
}

const gone: CheckoutView = { gone: true, detached: false, faults: [], dirty: null }

const hidesFiles = ({ code }: CheckoutFault): boolean => code === 'index_unreadable'

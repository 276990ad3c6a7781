import { lstat, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { RepositoryStands } from '#src/adapters/git/repository-stands.js'
import type { CheckoutSight, LookAtCheckout, ServedFile } from '#src/ports/checkout-watch.js'
import { mapAtMost } from './at-most.js'
import { isCode } from './disk.js'
import { type GitFolder, gitFolder, isOnBranch } from './git-folder.js'
import { emptyIndex, readIndex, type Staged, stagedIn } from './index-file.js'
import { inodeOf, isOwnLock } from './index-lock.js'
import { lyingAt, stands } from './work-tree.js'

/** Which of the files a landing would find dirty; null where that cannot be told now. */
export type ConfirmDirty = (files: ReadonlyArray<ServedFile>) => Promise<ReadonlySet<string> | null>

export interface CheckoutWatchOptions {
  readonly repo: string
  readonly stands: RepositoryStands
  /** Asked for what looks dirty; absent where no landing is under way. */
  readonly confirm?: ConfirmDirty
  /** Whether the first look tells a lock; else the second one that meets it does: a git holds it for a moment. */
  readonly atOnce: boolean
}

/** What was found of a file the last time; the same stamp spares reading it again. */
interface Known {
  readonly stamp: string
  readonly blob: string
  readonly isClean: boolean
}

const gone: CheckoutSight = { gone: true, detached: false, lock: null, dirty: null }

const stampAt = async (path: string): Promise<string> => {
  try {
    const { ino, size, mtimeMs, ctimeMs, mode } = await lstat(path)
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}:${mode}`
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return 'absent'
    throw error
  }
}

/** Looks at index and work tree with the rule by which a landing calls a file dirty (D4); remembers what it read. */
const dirtyFinder = ({ repo, confirm }: CheckoutWatchOptions) => {
  let known: ReadonlyMap<string, Known> = new Map()
  let index = { stamp: '', inIndex: stagedIn(emptyIndex) }
  let told: { readonly key: string; readonly dirty: ReadonlyArray<string> } = { key: '', dirty: [] }

  const indexNow = async (folder: GitFolder): Promise<(path: string) => Staged | null> => {
    const stamp = await stampAt(folder.index)
    if (stamp === index.stamp) return index.inIndex
    const read = stamp === 'absent' ? emptyIndex : readIndex(await readFile(folder.index))
    index = { stamp, inIndex: stagedIn(read) }
    return index.inIndex
  }

  const lookAt = async ({ path, blob }: ServedFile): Promise<Known> => {
    const stamp = await stampAt(join(repo, path))
    const before = known.get(path)
    if (before?.stamp === stamp && before.blob === blob) return before
    return { stamp, blob, isClean: stands(await lyingAt(repo, path), blob) }
  }

  return async (folder: GitFolder, files: ReadonlyArray<ServedFile>): Promise<CheckoutSight['dirty']> => {
    const inIndex = await indexNow(folder)
    const found = await mapAtMost(files, lookAt)
    known = new Map(files.flatMap(({ path }, at) => (found[at] === undefined ? [] : [[path, found[at]]])))
    const suspects = files.filter(({ path, blob }, at) => {
      const entry = inIndex(path)
      return found[at]?.isClean === false || entry === null || entry.stage > 0 || entry.id !== blob
    })
    const stamps = suspects.map(({ path, blob }) => `${path} ${blob} ${known.get(path)?.stamp}`)
    const key = [index.stamp, ...stamps].join('\0')
    if (key === told.key) return told.dirty
    const confirmed =
      confirm === undefined || suspects.length === 0
        ? new Set<string>(suspects.map(({ path }) => path))
        : await confirm(suspects)
    if (confirmed === null) return null
    told = { key, dirty: [...confirmed].sort() }
    return told.dirty
  }
}

/** Opens the look at a git checkout: whether it is there, who holds its index, what lies in the way of writes. */
export const openCheckoutWatch = (options: CheckoutWatchOptions): LookAtCheckout => {
  const { repo, stands: isThere, atOnce } = options
  const findDirty = dirtyFinder(options)
  let folder: GitFolder | null = null
  let lockBefore: bigint | null = null
  const lockNow = async (known: GitFolder): Promise<string | null> => {
    const inode = await inodeOf(`${known.index}.lock`)
    const lock = inode !== null && !(await isOwnLock(known)) ? inode : null
    const isTold = lock !== null && (atOnce || lock === lockBefore)
    lockBefore = lock
    return isTold ? relative(repo, `${known.index}.lock`) : null
  }
  return async files => {
    if (!(await isThere())) return gone
    folder = folder ?? (await gitFolder(repo))
    const detached = !(await isOnBranch(folder))
    return { gone: false, detached, lock: await lockNow(folder), dirty: await findDirty(folder, files) }
  }
}

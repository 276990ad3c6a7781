import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { GitLock } from '#protocol/host/sync.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'
import { type Disk, isCode } from './disk.js'
import type { GitFolder } from './failure.js'
import { emptyIndex, type GitIndex, type IndexMemory, openIndexMemory } from './index-file.js'

/** The index while we hold its lock: a person's git can neither commit nor stage. */
export interface HeldIndex {
  readonly index: GitIndex
  /** Writes the next index to disk beside the current one. */
  readonly prepare: (next: GitIndex) => Promise<void>
  /** Renames the prepared index into place; needs no space on the disk. */
  readonly replace: () => Promise<void>
  /** Releases the lock; does nothing the second time, or after `keep`. */
  readonly release: () => Promise<void>
  /** Leaves the lock in place, for a recovery to find. */
  readonly keep: () => void
}

/** The inode at a path; null where there is none. */
export const inodeOf = async (path: string): Promise<bigint | null> => {
  try {
    return (await stat(path, { bigint: true })).ino
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Whether git's lock on the index is a hard link to our token: no other program makes one. */
export const isOwnLock = async (folder: GitFolder): Promise<boolean> => {
  const [token, lock] = await Promise.all([inodeOf(tokenOf(folder)), inodeOf(lockOf(folder))])
  return token !== null && token === lock
}

/** Reads the current index; needs no lock. */
export const readCurrentIndex = async (
  folder: GitFolder,
  memory: IndexMemory = openIndexMemory(),
): Promise<GitIndex> => {
  try {
    return await memory.read(folder.index)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return emptyIndex
    throw error
  }
}

/**
 * Takes git's own lock on the index as a hard link to a token of ours, so that after a crash its inode proves
 * whose it is: a lock that an earlier landing left is taken over (F3, D4). Null while another process holds
 * it longer than `waitsMs`, the pauses between the attempts. `memory` avoids parsing an index that is as this
 * process left it.
 */
export const takeIndexLock = async (
  disk: Disk,
  folder: GitFolder,
  waitsMs: ReadonlyArray<number>,
  memory: IndexMemory = openIndexMemory(),
): Promise<HeldIndex | null> => {
  await ensureToken(disk, folder)
  for (const waitMs of [...waitsMs, null]) {
    if (await tryLink(disk, folder)) return makeHeldIndex(disk, folder, memory)
    if (await isOwnLock(folder)) {
      countStaleLock(lockOf(folder))
      return makeHeldIndex(disk, folder, memory)
    }
    if (waitMs !== null) await new Promise(resolve => setTimeout(resolve, waitMs))
  }
  return null
}

/** Counts a lock of git that a process which ended had left. */
export const countStaleLock = (path: string): void => {
  const lock = kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'ref'
  processMeter.count('svc_git_stale_locks_removed_total', { lock })
}

const tokenOf = (folder: GitFolder): string => join(folder.own, 'index.token')
const draftOf = (folder: GitFolder): string => join(folder.own, 'index.next')
const lockOf = (folder: GitFolder): string => `${folder.index}.lock`

const ensureToken = async (disk: Disk, folder: GitFolder): Promise<void> => {
  await disk.makeFolder(folder.own)
  try {
    await disk.write(tokenOf(folder), Buffer.from('kronika\n'), 0o600)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
}

const tryLink = async (disk: Disk, folder: GitFolder): Promise<boolean> => {
  try {
    await disk.link(tokenOf(folder), lockOf(folder))
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

const makeHeldIndex = async (disk: Disk, folder: GitFolder, memory: IndexMemory): Promise<HeldIndex> => {
  let isHeld = true
  // Only once: a second removal could delete the lock of the next process.
  const release = async (): Promise<void> => {
    if (isHeld) await disk.remove(lockOf(folder))
    isHeld = false
  }
  try {
    return {
      index: await readCurrentIndex(folder, memory),
      prepare: async next => {
        await disk.remove(draftOf(folder))
        memory.remember(next)
        await disk.write(draftOf(folder), next.bytes, 0o644)
      },
      replace: async () => {
        await disk.rename(draftOf(folder), folder.index)
        await disk.syncFolder(dirname(folder.index))
      },
      release,
      keep: () => {
        isHeld = false
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** The first that matches decides: the reflog of HEAD has a `HEAD.lock` too. */
const kinds: ReadonlyArray<readonly [RegExp, GitLock]> = [
  [/\/logs\/(?:HEAD\.lock$|refs\/)/, 'log'],
  [/\/objects\/info\//, 'objects'],
  [/\/HEAD\.lock$/, 'head'],
  [/\/packed-refs\.(?:lock|new)$/, 'packed_refs'],
  [/\/gc\.pid\.lock$/, 'gc'],
  [/\/index\.lock$/, 'index'],
]

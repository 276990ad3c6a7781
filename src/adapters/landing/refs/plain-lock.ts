import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { type Disk, isCode } from '../disk.js'
import type { GitFolder } from '../git-folder.js'
import { type HeldIndex, readCurrentIndex } from '../index/index-lock.js'

const tryTakeLock = async (disk: Disk, lock: string, waitsMs: ReadonlyArray<number>): Promise<boolean> => {
  for (const waitMs of [...waitsMs, null]) {
    try {
      await disk.write(lock, Buffer.alloc(0), 0o644)
      return true
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    if (waitMs !== null) await new Promise(resolve => setTimeout(resolve, waitMs))
  }
  return false
}

/**
 * Takes git's lock on the index as any git does: a running daemon waits for it, as for a person's. The
 * daemon's own kind of lock would be taken over by the daemon (`takeIndexLock`), so it does not exclude two
 * processes. Null while another process holds it longer than `waitsMs`, the pauses between the attempts.
 */
export const takeIndexLockAsGit = async (
  disk: Disk,
  folder: GitFolder,
  waitsMs: ReadonlyArray<number>,
): Promise<HeldIndex | null> => {
  const lock = `${folder.index}.lock`
  const draft = join(folder.own, `index.${randomBytes(6).toString('hex')}`)
  if (!(await tryTakeLock(disk, lock, waitsMs))) return null
  let isHeld = true
  const release = async (): Promise<void> => {
    await disk.remove(draft)
    if (isHeld) await disk.remove(lock)
    isHeld = false
  }
  try {
    return {
      index: await readCurrentIndex(folder),
      prepare: async next => {
        await disk.makeFolder(folder.own)
        await disk.write(draft, next.bytes, 0o644)
      },
      replace: async () => {
        await disk.rename(draft, folder.index)
        await disk.syncFolder(dirname(folder.index))
      },
      release,
      // No recovery of ours looks for this lock, so it is always released in the end.
      keep: () => undefined,
    }
  } catch (error) {
    await release()
    throw error
  }
}

import { statSync } from 'node:fs'

/**
 * Whether a file is still the one that this process opened: not moved, removed or replaced. Costs one `stat`.
 */
export type FileStands = () => boolean

const identityAt = (path: string): string | null => {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

/**
 * Remembers device and inode of an open file; the system gives its inode to no other file while it is open.
 */
export const fileStands = (path: string): FileStands => {
  const before = identityAt(path)
  return () => before !== null && identityAt(path) === before
}

/**
 * The error of a call that would write into a file that was moved or removed, with the code that SQLite uses
 * for it.
 */
const databaseMovedError = (): Error =>
  Object.assign(new Error('runtime.db was moved, removed or replaced since it was opened'), {
    code: 'SQLITE_READONLY_DBMOVED',
  })

/** Makes a call throw, before it does anything, once the file was moved, removed or replaced. */
export const requireStanding =
  (stands: FileStands) =>
  <A extends ReadonlyArray<unknown>, B>(call: (...args: A) => B): ((...args: A) => B) =>
  (...args) => {
    if (!stands()) throw databaseMovedError()
    return call(...args)
  }

import { statSync } from 'node:fs'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'

/** Why a state area is unusable, as the log names it. */
export type StateCause = 'state_disk_full' | 'state_damaged' | 'state_newer' | 'state_not_writable'

/** Why a state area is unusable, and what to do. */
export interface StateTrouble {
  readonly cause: StateCause
  readonly reason: string
}

export const isDamage = (error: unknown): boolean =>
  sqliteCode(error) === 'SQLITE_NOTADB' || sqliteCode(error)?.startsWith('SQLITE_CORRUPT') === true

/** Explains an error of a state area: the disk is full, a file is damaged, or it cannot be written. */
export const stateTrouble = (state: string, error: unknown): StateTrouble => {
  const code = codeOf(error)
  const words = wordsOf(error)
  if (isFull(code))
    return {
      cause: 'state_disk_full',
      reason: `the disk of the state area ${state} is full (${words}); make room, then start again`,
    }
  if (isDamage(error))
    return {
      cause: 'state_damaged',
      reason:
        `a file of the state area ${state} is damaged (${words}); ` +
        'fence.db holds no data and may be removed, but runtime.db may not',
    }
  const mend = isDenied(code)
    ? 'run it as the user that owns the checkout, or name another folder with --state'
    : 'check that its disk is mounted and writable, or name another folder with --state'
  return {
    cause: 'state_not_writable',
    reason: `the state area ${state} cannot be written: ${words}; ${mend}`,
  }
}

/** Whether an error comes from the state area: from SQLite, or from a file below it. */
export const isOfState = (state: string, error: unknown): boolean => {
  if (sqliteCode(error) !== null) return true
  const path = error instanceof Error && 'path' in error ? error.path : null
  return typeof path === 'string' && (path === state || path.startsWith(`${state}/`))
}

/**
 * Remembers device and inode of an open file; the system gives its inode to no other file while it is open.
 */
export const fileStands = (path: string): FileStands => {
  const before = identityAt(path)
  return () => before !== null && identityAt(path) === before
}

/** Makes a call throw, before it does anything, once the file was moved, removed or replaced. */
export const requireStanding =
  (stands: FileStands) =>
  <A extends ReadonlyArray<unknown>, B>(call: (...args: A) => B): ((...args: A) => B) =>
  (...args) => {
    if (!stands()) throw databaseMovedError()
    return call(...args)
  }

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? code : ''
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const isFull = (code: string): boolean => ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(code)

const isDenied = (code: string): boolean => code === 'EACCES' || code === 'EPERM'

/**
 * Whether a file is still the one that this process opened: not moved, removed or replaced. Costs one `stat`.
 */
type FileStands = () => boolean

const identityAt = (path: string): string | null => {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

/**
 * The error of a call that would write into a file that was moved or removed, with the code that SQLite uses
 * for it.
 */
const databaseMovedError = (): Error =>
  Object.assign(new Error('runtime.db was moved, removed or replaced since it was opened'), {
    code: 'SQLITE_READONLY_DBMOVED',
  })

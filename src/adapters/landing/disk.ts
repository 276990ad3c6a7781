import { link, mkdir, open, rename, rm, symlink } from 'node:fs/promises'

/**
 * The writing half of the file system, as narrow as landing a write needs it: tests simulate a full disk or a
 * crash between any two of these calls.
 */
export interface Disk {
  /** Creates a file that does not exist; its bytes are on disk when it resolves. */
  readonly write: (path: string, bytes: Buffer, mode: number) => Promise<void>
  readonly rename: (from: string, to: string) => Promise<void>
  /** Fails with EEXIST where the path exists: the only atomic way to take a lock file. */
  readonly link: (from: string, to: string) => Promise<void>
  readonly symlink: (target: Buffer, path: string) => Promise<void>
  /** Removes a file; does nothing where there is none. */
  readonly remove: (path: string) => Promise<void>
  /** Creates a folder and those above it. */
  readonly makeFolder: (path: string) => Promise<void>
  /** Makes the names of a folder durable. */
  readonly syncFolder: (path: string) => Promise<void>
}

export const realDisk: Disk = {
  write: (path, bytes, mode) => writeAndSync(path, 'wx', mode, bytes),
  rename,
  link,
  symlink,
  remove: path => rm(path, { force: true }),
  makeFolder: async path => {
    try {
      await mkdir(path, { recursive: true })
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error
      // So Node reports a file system that is read-only; the plain call has the error of the system.
      await mkdir(path)
    }
  },
  syncFolder: path => writeAndSync(path, 'r', 0, null),
}

export const isCode = (error: unknown, code: string): boolean => codeOf(error) === code

/** The message of an error for a file that this process may not write; null for every other error. */
export const refusedPath = (error: unknown): string | null =>
  error instanceof Error && refusedCodes.has(codeOf(error)) ? error.message : null

/** The message of a disk that accepts no more writes, from any API; null for every other fault (D28). */
export const diskRefusal = (error: unknown): string | null => {
  const code = codeOf(error)
  const isRefusal = refusals.has(code) || code?.startsWith('SQLITE_IOERR') === true
  return isRefusal && error instanceof Error ? error.message : null
}

/** The same from the output of a git that failed. */
export const diskRefusalOfGit = (stderr: string): string | null => gitRefusal.exec(stderr)?.[0] ?? null

const writeAndSync = async (
  path: string,
  flags: string,
  mode: number,
  bytes: Buffer | null,
): Promise<void> => {
  const handle = await open(path, flags, mode)
  try {
    if (bytes !== null) await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const refusals: ReadonlySet<unknown> = new Set(['ENOSPC', 'EIO', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_READONLY'])

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

const refusedCodes: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])

const gitRefusal = /No space left on device|Input\/output error|Disk quota exceeded/

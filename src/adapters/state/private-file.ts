import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'

const bytesMax = 65_536
const ownerOnly = 0o600

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : String(error)

/** Why a file cannot be read, without any of its content. */
const wordsOf = (error: unknown): string => {
  const code = codeOf(error)
  return code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be read (${String(code)})`
}

const textIn = (handle: number, own: boolean): Either<string, string> => {
  const { size, mode } = fstatSync(handle)
  if (!fstatSync(handle).isFile()) return left('it is not a file')
  if (size > bytesMax) return left(`it has more than ${bytesMax} bytes`)
  if (own && (mode & 0o077) !== 0) fchmodSync(handle, ownerOnly)
  return right(readFileSync(handle, 'utf8'))
}

/**
 * The text of a secret file; null where there is none. Left: why it cannot be read. The host's `own` file is
 * not read through a symbolic link, and is made private to its owner; one that the operator mounts may be a
 * link.
 */
export const readSecret = (path: string, own: boolean): Either<string, string | null> => {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (own ? constants.O_NOFOLLOW : 0)
  try {
    const handle = openSync(path, flags)
    try {
      return textIn(handle, own)
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? right(null) : left(wordsOf(error))
  }
}

const writeAndSync = (path: string, flags: number, mode: number, text: string | null): void => {
  const handle = openSync(path, flags, mode)
  try {
    if (text !== null) writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Writes a secret file atomically with mode 0600; durable when it returns. Throws where the disk refuses. */
export const writeSecret = (path: string, text: string): void => {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  const fresh = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  try {
    writeAndSync(draft, fresh, ownerOnly, text)
    renameSync(draft, path)
    writeAndSync(dirname(path), constants.O_RDONLY, 0, null)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

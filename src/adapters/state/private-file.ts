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
import { dirname, join } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { readJson } from '#src/domain/json/json-text.js'

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

const Paths = t.readonlyArray(t.string)

const Trust = t.readonly(
  t.type({
    /** The pinned addresses, by the key of the configuration. */
    addresses: t.readonly(t.record(t.string, t.string)),
    /** The keys whose address the last start took from the environment. */
    given: Paths,
    /** Real paths of the folders that `kronika trust --tree` allowed. */
    allowed: Paths,
    /** Real paths of the folders that the last start allowed. */
    flagged: Paths,
    /** Real paths of the trees outside the lore that hosts have read; null for a state area older than this file. */
    read: t.union([t.null, Paths]),
  }),
)
/** What the operator of a host trusts that a commit names. It has no secret. */
export type Trust = t.TypeOf<typeof Trust>

export const noTrust: Trust = { addresses: {}, given: [], allowed: [], flagged: [], read: [] }

/** Whether a path is a folder or lies below it. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

/**
 * Why a host may read a tree outside the lore, by its real path: `allowed` by `kronika trust` or below one of
 * `folders`, or `read` by an earlier host of the state area. Null: it may not.
 */
export const treeStanding = (
  { allowed, read }: Trust,
  folders: ReadonlyArray<string>,
  root: string,
): 'allowed' | 'read' | null => {
  if ([...allowed, ...folders].some(folder => isWithin(folder, root))) return 'allowed'
  return read === null || read.includes(root) ? 'read' : null
}

/** The trust of a state area; null where there is no file. Left: why the file cannot be used. */
export const readTrust = (state: string): Either<string, Trust | null> => {
  const text = readSecret(pathIn(state), true)
  if (isLeft(text)) return text
  if (text.right === null) return right(null)
  const read = readJson(text.right)
  return !isLeft(read) && Trust.is(read.right) ? right(read.right) : left('it has another form')
}

/** Writes the trust durably, unless the file has it already. Throws where the disk refuses. */
export const writeTrust = (state: string, before: Trust | null, trust: Trust): void => {
  if (before === null || textOf(before) !== textOf(trust)) writeSecret(pathIn(state), textOf(trust))
}

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

const writeAndSync = (path: string, flags: number, mode: number, text: string | null): void => {
  const handle = openSync(path, flags, mode)
  try {
    if (text !== null) writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const pathIn = (state: string): string => join(state, 'trust.json')

const textOf = (trust: Trust): string => `${JSON.stringify(trust, null, 2)}\n`

import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ArtifactFile,
  type ArtifactFiles,
  artifactFiles,
  isArtifactId,
} from '#src/domain/models/artifact.js'
import { isCode } from '../landing/disk.js'
import { makeFolderInState, writeDurably } from '../state/state-area.js'

/** The files beside the artifacts in the folder of the store, and the largest that is read, in bytes. */
export const storeFiles = {
  ledger: { name: 'promotions.jsonl', bytesMax: 64 * 1024 * 1024 },
  runs: { name: 'runs.jsonl', bytesMax: 64 * 1024 * 1024 },
  frames: { name: 'frames.json', bytesMax: 1024 * 1024 },
  live: { name: 'live.json', bytesMax: 1024 * 1024 },
} as const

/** The folder of the store: what it holds and when it changed. */
export interface StoreListing {
  readonly exists: boolean
  /** Ids of artifacts, sorted; other names are not looked at. */
  readonly ids: ReadonlyArray<string>
}

/** More artifacts are not listed. */
export const artifactsMax = 500

/** Lists a store. A folder that is a link, or no folder, is none. Rejects where the disk refuses. */
export const listStore = async (root: string): Promise<StoreListing> => {
  if (!(await isRealFolder(root))) return { exists: false, ids: [] }
  const entries = await readdir(root, { withFileTypes: true })
  const ids = entries.filter(entry => isArtifactId(entry.name) && !entry.isFile()).map(({ name }) => name)
  return { exists: true, ids: ids.sort().slice(0, artifactsMax) }
}

/** Reads the files of an artifact, never through a link. Never rejects. */
export const readArtifactFiles = async (root: string, id: string): Promise<ArtifactFiles> => {
  const folder = join(root, id)
  const isFolder = isArtifactId(id) && (await isRealFolder(folder).catch(() => false))
  const read = (file: keyof typeof artifactFiles): Promise<ArtifactFile> =>
    isFolder
      ? readPlainFile(join(folder, artifactFiles[file].name), artifactFiles[file].bytesMax)
      : Promise.resolve({ _tag: 'Missing' })
  return { id, model: await read('model'), stamp: await read('stamp'), evaluation: await read('evaluation') }
}

/**
 * Says whether the files of an artifact may have changed, without reading them: equal texts mean the same files.
 * Never rejects.
 */
export const signatureOf = async (path: string): Promise<string> => {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await lstat(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return 'none'
  }
}

/** Reads a regular file of at most `bytesMax` bytes, never through a link. Never rejects. */
export const readPlainFile = async (path: string, bytesMax: number): Promise<ArtifactFile> => {
  let handle: FileHandle | null = null
  try {
    // Without O_NONBLOCK the opening of a named pipe would wait for its writer.
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = await handle.stat()
    if (!stat.isFile()) return { _tag: 'Refused', why: 'no_file' }
    if (stat.size > bytesMax) return { _tag: 'Refused', why: 'too_large' }
    const bytes = await handle.readFile()
    if (bytes.length > bytesMax) return { _tag: 'Refused', why: 'too_large' }
    return { _tag: 'Bytes', bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return { _tag: 'Missing' }
    return { _tag: 'Refused', why: isCode(error, 'ELOOP') ? 'link' : 'unreadable' }
  } finally {
    await handle?.close()
  }
}

/**
 * Appends a line to a file of the store, which is created where it is not there; it is on disk when this returns. A
 * line that a crash cut off before is ended first, and stays.
 * Creates the folder of the store, and no other. Throws where the disk refuses, or a link is in the way.
 */
export const appendDurably = (root: string, name: string, text: string): void => {
  makeFolderInState(root)
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  const handle = openSync(join(root, name), flags, 0o600)
  const { size } = fstatSync(handle)
  try {
    writeFileSync(handle, `${endsInLine(handle, size) ? '' : '\n'}${text}\n`)
    fsyncSync(handle)
    syncFolder(root)
  } catch (error) {
    // What is refused must not count later.
    ftruncateSync(handle, size)
    throw error
  } finally {
    closeSync(handle)
  }
}

const endsInLine = (handle: number, size: number): boolean => {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(handle, last, 0, 1, size - 1)
  return last[0] === 0x0a
}

/** Replaces a file of the store; the new one is on disk under its name when this returns. */
export const replaceDurably = (root: string, name: string, text: string): void => {
  writeDurably(join(root, name), text)
  syncFolder(root)
}

/** Makes the names of a folder durable. */
export const syncFolder = (path: string): void => {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Whether the path is a folder and no link to one. */
export const isRealFolder = async (path: string): Promise<boolean> => {
  try {
    return (await lstat(path)).isDirectory()
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return false
    throw error
  }
}

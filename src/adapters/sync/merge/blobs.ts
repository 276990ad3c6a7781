import { type GitBatch, type GitObject, openGitBatch } from '#src/adapters/git/git-batch.js'
import type { Disk } from '#src/adapters/landing/disk.js'
import { blobObject, type MadeObject, writeObjects } from '#src/adapters/landing/objects/object-writer.js'
import { ledgerBytesMax } from '#src/domain/lore/layout.js'
import { mergeCeilingOf } from '#src/domain/lore/merging/merge-file.js'
import { gitLimitMs } from '../remote/run-git.js'

/** A UTF-16 unit takes at most three bytes in UTF-8: a longer blob is above the ceiling and is not read. */
export const mergeBytesMaxOf = (path: string): number =>
  Math.min(3 * mergeCeilingOf(path).charsMax, ledgerBytesMax)

/** Reads blobs of a checkout through two git processes, however many there are. */
export interface BlobReader {
  /** The size of a blob in bytes; null for an object of another type. Rejects where the object is missing. */
  readonly size: (id: string) => Promise<number | null>
  readonly read: (id: string) => Promise<Buffer>
  readonly has: (id: string) => Promise<boolean>
  readonly close: () => void
}

/** Reads blobs through two git processes that start at the first read. A read of a missing blob throws. */
export const openBlobReader = (repo: string, signal: AbortSignal): BlobReader => {
  const sizes = openGitBatch(repo, 'sizes')
  const contents = openGitBatch(repo)
  const ask = (batch: GitBatch, id: string): Promise<GitObject | null> => answerOf(batch.object(id), signal)
  const objectOf = async (batch: GitBatch, id: string): Promise<GitObject> => {
    const object = await ask(batch, id)
    if (object === null) throw new Error(`the blob ${id} cannot be read; run \`git fsck\``)
    return object
  }
  return {
    size: async id => {
      const { type, size } = await objectOf(sizes, id)
      return type === 'blob' ? size : null
    },
    read: async id => (await objectOf(contents, id)).bytes,
    has: async id => (await ask(sizes, id)) !== null,
    close: () => {
      sizes.close()
      contents.close()
    },
  }
}

/** Whether a file of the object store is one that a merge began to write. */
export const isMergeDraft = (name: string): boolean => name.startsWith(draftPrefix)

/** Writes blobs into the object store without a git process. */
export interface BlobWriter {
  /** Returns the id of the blob; the blob is on disk once `flush` resolves. */
  readonly write: (text: string) => Promise<string>
  /** Resolves when every blob written before is on disk, so that a tree may name it. */
  readonly flush: () => Promise<void>
}

/** A writer that collects blobs in memory and writes them when `flush` is called or much has collected. */
export const openBlobWriter = (disk: Disk, objects: string): BlobWriter => {
  let waiting: Array<MadeObject> = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    const made = waiting
    waiting = []
    bytes = 0
    if (made.length > 0) await writeObjects(disk, objects, made, draftPrefix)
  }
  return {
    write: async text => {
      const blob = blobObject(Buffer.from(text, 'utf8'))
      waiting.push(blob)
      bytes += blob.content.length
      if (waiting.length >= batchFilesMax || bytes >= batchBytesMax) await flush()
      return blob.id
    },
    flush,
  }
}

/** Rejects when `signal` aborts, or git has not answered within its limit. */
const answerOf = (asked: Promise<GitObject | null>, signal: AbortSignal): Promise<GitObject | null> =>
  new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = (): void => end(() => reject(new Error('the merge was cancelled')))
    const onLimit = (): void =>
      end(() => reject(new Error(`git cat-file did not answer within ${gitLimitMs / 1000} s`)))
    const timer = setTimeout(onLimit, gitLimitMs)
    signal.addEventListener('abort', onAbort, { once: true })
    asked.then(
      object => end(() => resolve(object)),
      (error: unknown) => end(() => reject(error instanceof Error ? error : new Error(String(error)))),
    )
    if (signal.aborted) onAbort()
  })

/** The files of a merge share the syncs of their folders, up to this number or these bytes. */
const batchFilesMax = 64
const batchBytesMax = 8 * 1024 * 1024

/** A recovery of the write gate does not remove these; a fetch removes what a killed merge left. */
const draftPrefix = 'tmp_obj_sync_'

import type { Disk } from '#src/adapters/landing/disk.js'
import { blobObject, type MadeObject } from '#src/adapters/landing/objects/git-object.js'
import { writeObjects } from '#src/adapters/landing/objects/object-writer.js'

/** The files of a merge share the syncs of their folders, up to this number or these bytes. */
const batchFilesMax = 64
const batchBytesMax = 8 * 1024 * 1024

/** A recovery of the write gate does not remove these; a fetch removes what a killed merge left. */
const draftPrefix = 'tmp_obj_sync_'

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

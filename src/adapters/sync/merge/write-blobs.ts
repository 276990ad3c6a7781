import type { Disk } from '#src/adapters/landing/disk.js'
import { blobObject, type MadeObject } from '#src/adapters/landing/objects/git-object.js'
import { writeObjects } from '#src/adapters/landing/objects/object-writer.js'

/** Files of a merge share the syncs of their folders: so many at once, or so many bytes. */
const batchFilesMax = 64
const batchBytesMax = 8 * 1024 * 1024

/** No recovery of the write gate takes these for litter of its own; a fetch removes what a killed merge left. */
const draftPrefix = 'tmp_obj_sync_'

export const isMergeDraft = (name: string): boolean => name.startsWith(draftPrefix)

/** Writes blobs into the object store without a process of git. */
export interface BlobWriter {
  /** The id of the blob; it is on disk once `flush` resolves. */
  readonly write: (text: string) => Promise<string>
  /** Every blob that was written before is on disk when it resolves, so that a tree may name it. */
  readonly flush: () => Promise<void>
}

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

import type { BlobId, CommitId } from '#protocol/atoms.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { sourceFile, worldOf } from '#test/support/world.js'
import type { SimCommit } from './objects.js'

/** The notices of a write. `isOpen`: it is not known yet how the write ended here. */
export interface OwedNotices {
  readonly commit: CommitId
  readonly keys: ReadonlyArray<string>
  isOpen: boolean
}

/** The refs of a repository on disk; what they name is among the world's objects. */
export interface SimRepository {
  head: CommitId
  /** The remote's branch as the last fetch found it. */
  fetched: CommitId | null
  /** A tip of the remote that nobody accepted yet. */
  rewritten: CommitId | null
  readonly parked: Map<string, CommitId>
  /** Refs that were ever parked here. */
  parkings: number
  /** The notices of writes, kept with their intents until they go. */
  readonly owed: Map<string, OwedNotices>
}

export const repositoryAt = (head: CommitId): SimRepository => ({
  head,
  fetched: null,
  rewritten: null,
  parked: new Map(),
  parkings: 0,
  owed: new Map(),
})

const empty = worldOf({ '.svc/format.json': '{"format": 2}\n' })
const sources = new Map<string, SourceFile>()
const texts = new Map<BlobId, string>()

/** Forgets the files of an earlier world: a process runs one world at a time. */
export const forgetFiles = (): void => {
  sources.clear()
  texts.clear()
}

/** A file of the simulated lore; the same text has the same blob. */
export const fileOf = (path: string, text: string): SourceFile => {
  const key = `${path}\0${text}`
  const known = sources.get(key)
  if (known !== undefined) return known
  const made = sourceFile(path, text)
  sources.set(key, made)
  texts.set(made.blob, text)
  return made
}

/** The text of a blob that stood in any commit. */
export const blobTextOf = (blob: BlobId): string | null => texts.get(blob) ?? null

const snapshots = new WeakMap<SimCommit, Snapshot>()

/** The snapshot of a commit, of which the simulated plans read the files alone. */
export const snapshotOf = (commit: SimCommit): Snapshot => {
  const known = snapshots.get(commit)
  if (known !== undefined) return known
  const { id, files } = commit
  const made = {
    ...empty,
    commit: id,
    inputs: id,
    files: new Map([...files].map(([path, text]) => [path, fileOf(path, text)])),
  }
  snapshots.set(commit, made)
  return made
}

import { decodeFile } from '#actors/corpus-keeper/read-entries.js'
import { BlobId, type CommitId } from '#protocol/atoms.js'
import type { TopologyVersion } from '#src/domain/fleet/fleet-state.js'
import { topologyBytesMax, topologyPath } from '#src/domain/fleet/topology.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type FleetBranch, type KnownChange, LostObject, type TreeSource } from '#src/ports/git.js'

export const absentTopology: TopologyVersion = { source: { _tag: 'Absent' }, fence: null }
export const unfetchedTopology: TopologyVersion = { source: { _tag: 'NotFetched' }, fence: null }

const noBlob = BlobId.decode('0'.repeat(40))

/** A file that is there and cannot be read: a link, a folder, too many bytes, or a lost object. */
const unreadFile = (blob: BlobId | null): SourceFile => {
  if (noBlob._tag === 'Left') throw new Error('no blob id')
  return { path: topologyPath, blob: blob ?? noBlob.right, text: '', undecodable: false, unread: true }
}

const readFile = async (
  source: Pick<TreeSource, 'listAt' | 'read'>,
  commit: CommitId,
): Promise<SourceFile | null> => {
  const { entries, skipped } = await source.listAt({ commit, id: commit }, [topologyPath])
  const entry = entries.find(({ path }) => path === topologyPath)
  if (entry === undefined) return skipped.length === 0 ? null : unreadFile(null)
  if (entry.bytes > topologyBytesMax) return unreadFile(entry.blob)
  try {
    const bytes = await source.read(entry)
    return bytes === null || bytes.length > topologyBytesMax
      ? unreadFile(entry.blob)
      : decodeFile(entry, bytes)
  } catch (error) {
    if (error instanceof LostObject) return unreadFile(entry.blob)
    throw error
  }
}

/** Reads the version of `.svc/fleet.json` at a commit. Rejects where git cannot read the commit. */
export type ReadTopology = (commit: CommitId) => Promise<TopologyVersion>

/** Returns a `ReadTopology` that remembers the last answer about the history. */
export const topologyReader = (
  source: Pick<TreeSource, 'listAt' | 'read'>,
  branch: Pick<FleetBranch, 'lastChange'>,
): ReadTopology => {
  let known: KnownChange | null = null
  return async commit => {
    const file = await readFile(source, commit)
    if (file === null) return absentTopology
    const changed = await branch.lastChange(commit, topologyPath, known)
    known = changed === null ? null : { tip: commit, changed }
    return {
      source: { _tag: 'File', file },
      fence: changed === null ? null : { commit: changed, blob: file.blob },
    }
  }
}

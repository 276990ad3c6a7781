import { type BlobId, type CommitId, requirePath } from '#protocol/atoms.js'
import { topologyPath } from '#src/domain/fleet/topology.js'
import { type ReadTopology, topologyReader } from '#src/node/fleet/role.js'
import type { Objects } from '#test/simulation/node/objects.js'
import { blobTextOf, fileOf } from '#test/simulation/node/sim-repository.js'

/** What the history says of the file of the fleet. */
export interface FleetHistory {
  /** The commit that last changed the file, merges apart; null where none did. */
  readonly lastChange: (tip: CommitId) => CommitId | null
  readonly textAt: (commit: CommitId) => string | undefined
  readonly blobAt: (commit: CommitId) => BlobId | null
  /** The version of the file at a commit, as hosts read it. */
  readonly read: ReadTopology
  /** When a commit was made, or, where a merge of the forge brought it, when that was; else the date of its parent. */
  readonly dateMs: (commit: CommitId) => number
  readonly date: (commit: CommitId, atMs: number) => void
}

export const openFleetHistory = (objects: Objects, startMs: number): FleetHistory => {
  const changes = new Map<CommitId, CommitId | null>()
  const dates = new Map<CommitId, number>()
  const textAt = (commit: CommitId): string | undefined => objects.get(commit).files.get(topologyPath)
  const blobAt = (commit: CommitId): BlobId | null => {
    const text = textAt(commit)
    return text === undefined ? null : fileOf(topologyPath, text).blob
  }
  /** The later one: of two commits that know each other the descendant has more before it. */
  const later = (a: CommitId | null, b: CommitId | null): CommitId | null => {
    if (a === null || b === null) return a ?? b
    const [sizeA, sizeB] = [objects.size(a), objects.size(b)]
    if (sizeA !== sizeB) return sizeA > sizeB ? a : b
    return a > b ? a : b
  }
  const findChange = (tip: CommitId): CommitId | null => {
    const [parent, ...others] = objects.get(tip).parents
    if (parent === undefined) return textAt(tip) === undefined ? null : tip
    if (others.length === 0) return textAt(tip) === textAt(parent) ? lastChange(parent) : tip
    // A side whose version did not stand has not changed the file.
    const sides = [parent, ...others].filter(side => textAt(side) === textAt(tip))
    return sides.length === 0 ? tip : sides.map(lastChange).reduce(later, null)
  }
  const lastChange = (tip: CommitId): CommitId | null => {
    const known = changes.get(tip)
    if (known !== undefined) return known
    const found = findChange(tip)
    changes.set(tip, found)
    return found
  }
  const dateMs = (commit: CommitId): number => {
    const known = dates.get(commit)
    if (known !== undefined) return known
    const [parent] = objects.get(commit).parents
    return parent === undefined ? startMs : dateMs(parent)
  }
  const read = topologyReader(
    {
      listAt: ({ commit }) => {
        const text = commit === null ? undefined : textAt(commit)
        const blob = commit === null ? null : blobAt(commit)
        if (text === undefined || blob === null) return Promise.resolve({ entries: [], skipped: [] })
        const entry = { path: requirePath(topologyPath), blob, bytes: Buffer.byteLength(text) }
        return Promise.resolve({ entries: [entry], skipped: [] })
      },
      read: ({ blob }) => {
        const text = blobTextOf(blob)
        return Promise.resolve(text === null ? null : Buffer.from(text))
      },
    },
    { lastChange: tip => Promise.resolve(lastChange(tip)) },
  )
  return { lastChange, textAt, blobAt, read, dateMs, date: (commit, atMs) => void dates.set(commit, atMs) }
}

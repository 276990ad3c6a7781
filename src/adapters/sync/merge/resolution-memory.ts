import type { Conflict, Three } from '#src/domain/lore/merging/conflict.js'

/** What a merge made of one path: the blobs of both sides' versions (null: the file goes) and what they conflict in. */
export interface MergedBlobs {
  readonly published: string | null
  readonly own: string | null
  readonly conflicts: ReadonlyArray<Conflict>
}

/** What a resolution was made of. Equal sources, equal result. */
export interface ResolutionSource extends Three<string | null> {
  readonly path: string
  readonly mode: string
}

/** What earlier merges made of conflicted paths, so that the next one merges only what changed since. */
export interface ResolutionMemory {
  readonly recall: (source: ResolutionSource) => MergedBlobs | null
  readonly remember: (source: ResolutionSource, merged: MergedBlobs) => void
  /** Forgets all paths but these: those of the merge that has just ended. */
  readonly retain: (paths: ReadonlySet<string>) => void
}

/** Paths and conflicts that are remembered at most; what is beyond is merged again. */
const weightMax = 100_000

interface Entry {
  readonly source: ResolutionSource
  readonly merged: MergedBlobs
}

const weightOf = ({ merged }: Entry): number => 1 + merged.conflicts.length

const isSame = (one: ResolutionSource, other: ResolutionSource): boolean =>
  one.mode === other.mode && one.base === other.base && one.ours === other.ours && one.theirs === other.theirs

/** Keeps the last resolution of each path. It holds ids, no contents. */
export const openResolutionMemory = (): ResolutionMemory => {
  const entries = new Map<string, Entry>()
  let weight = 0
  const forget = (path: string): void => {
    const entry = entries.get(path)
    if (entry === undefined) return
    weight -= weightOf(entry)
    entries.delete(path)
  }
  return {
    recall: source => {
      const entry = entries.get(source.path)
      return entry !== undefined && isSame(entry.source, source) ? entry.merged : null
    },
    remember: (source, merged) => {
      forget(source.path)
      const entry = { source, merged }
      if (weight + weightOf(entry) > weightMax) return
      weight += weightOf(entry)
      entries.set(source.path, entry)
    },
    retain: paths => {
      for (const path of [...entries.keys()]) if (!paths.has(path)) forget(path)
    },
  }
}

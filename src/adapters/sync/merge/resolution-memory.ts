import type { Conflict, Three } from '#src/domain/lore/merging/units.js'

/** The merged versions of one path: the blobs of both sides (null: removed) and their conflicts. */
export interface MergedBlobs {
  readonly published: string | null
  readonly own: string | null
  readonly conflicts: ReadonlyArray<Conflict>
}

/** The inputs of a resolution. Equal inputs give an equal result. */
export interface ResolutionSource extends Three<string | null> {
  readonly path: string
  readonly mode: string
}

/** Cached resolutions of conflicted paths, so that the next merge only merges what changed since. */
export interface ResolutionMemory {
  readonly recall: (source: ResolutionSource) => MergedBlobs | null
  readonly remember: (source: ResolutionSource, merged: MergedBlobs) => void
  /** Drops all paths but these: those of the merge that has just ended. */
  readonly retain: (paths: ReadonlySet<string>) => void
}

/** The most paths and conflicts that are cached; paths beyond it are merged again. */
const weightMax = 100_000

interface Entry {
  readonly source: ResolutionSource
  readonly merged: MergedBlobs
}

const weightOf = ({ merged }: Entry): number => 1 + merged.conflicts.length

const isSame = (one: ResolutionSource, other: ResolutionSource): boolean =>
  one.mode === other.mode && one.base === other.base && one.ours === other.ours && one.theirs === other.theirs

/** Caches the last resolution of each path. It holds ids, not contents. */
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

import type { Tree } from '#protocol/atoms.js'
import { mergeFileInSlices } from '#src/domain/lore/merging/merge-file.js'
import { type Conflict, type Side, type Three, takeChangedSide } from '#src/domain/lore/merging/units.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import type { ConflictedPath } from '../remote/git-words.js'
import { type BlobReader, type BlobWriter, mergeBytesMaxOf } from './blobs.js'

export interface ResolvePorts {
  readonly tree: Tree
  readonly reader: BlobReader
  readonly writer: BlobWriter
  readonly memory: ResolutionMemory
  /** Yields to the event loop between slices of a merge; rejects once the merge is aborted. */
  readonly breathe: () => Promise<void>
}

/**
 * Merges one path by block and row, or returns the cached result for the same three blobs. Holds no more than
 * the contents of this path in memory. A link, a submodule and a file that is not text are kept whole for
 * each side.
 */
export const resolvePath = async (ports: ResolvePorts, file: ConflictedPath): Promise<MergedBlobs> => {
  if (!file.mode.startsWith('100')) return keepWhole(file, 'changed')
  const kept = takeChangedSide<string | null>(file)
  if (kept !== undefined) return { published: kept, own: kept, conflicts: [] }
  const known = ports.memory.recall(file)
  if (known !== null && (await isThere(ports.reader, known))) return known
  const merged = await resolve(ports, file)
  ports.memory.remember(file, merged)
  return merged
}

/** The merged versions of one path: the blobs of both sides (null: removed) and their conflicts. */
export interface MergedBlobs {
  readonly published: string | null
  readonly own: string | null
  readonly conflicts: ReadonlyArray<Conflict>
}

/** Cached resolutions of conflicted paths, so that the next merge only merges what changed since. */
export interface ResolutionMemory {
  readonly recall: (source: ResolutionSource) => MergedBlobs | null
  readonly remember: (source: ResolutionSource, merged: MergedBlobs) => void
  /** Drops all paths but these: those of the merge that has just ended. */
  readonly retain: (paths: ReadonlySet<string>) => void
}

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

const decoder = new TextDecoder('utf8', { fatal: true, ignoreBOM: true })

const decode = (bytes: Buffer): string | null => {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

type Texts = { readonly _tag: 'Texts'; readonly texts: Three<string | null> }
type Unreadable = { readonly _tag: 'Whole'; readonly cause: 'changed' | 'too_large' }

const sides = ['base', 'ours', 'theirs'] as const

/** The three texts of a path; `Whole` where one is not text or too large to merge, which is not read. */
const readTexts = async (reader: BlobReader, file: ConflictedPath): Promise<Texts | Unreadable> => {
  for (const side of sides) {
    const id = file[side]
    const size = id === null ? 0 : await reader.size(id)
    if (size === null) return { _tag: 'Whole', cause: 'changed' }
    if (size > mergeBytesMaxOf(file.path)) return { _tag: 'Whole', cause: 'too_large' }
  }
  const texts: { -readonly [side in keyof Three<unknown>]: string | null } = {
    base: null,
    ours: null,
    theirs: null,
  }
  for (const side of sides) {
    const id = file[side]
    if (id === null) continue
    texts[side] = decode(await reader.read(id))
    if (texts[side] === null) return { _tag: 'Whole', cause: 'changed' }
  }
  return { _tag: 'Texts', texts }
}

const keepWhole = (file: ConflictedPath, cause: Unreadable['cause']): MergedBlobs => ({
  published: file.theirs,
  own: file.ours,
  conflicts: [{ block: null, row: null, cause }],
})

const mergeTexts = async (
  { tree, writer, breathe }: ResolvePorts,
  file: ConflictedPath,
  texts: Three<string | null>,
): Promise<MergedBlobs> => {
  const merge = (stands: Side) =>
    runWithPauses(mergeFileInSlices(file.path, texts, { stands, tree }), breathe)
  const blobOf = async (text: string | null): Promise<string | null> => {
    const same = sides.find(side => texts[side] === text)
    if (same !== undefined) return file[same]
    return text === null ? null : writer.write(text)
  }
  const { text, conflicts } = await merge('theirs')
  const published = await blobOf(text)
  const own = conflicts.length === 0 ? published : await blobOf((await merge('ours')).text)
  // Copied: headings and rows are slices that would keep the whole texts in memory.
  return { published, own, conflicts: structuredClone(conflicts) }
}

const resolve = async (ports: ResolvePorts, file: ConflictedPath): Promise<MergedBlobs> => {
  const read = await readTexts(ports.reader, file)
  return read._tag === 'Whole' ? keepWhole(file, read.cause) : mergeTexts(ports, file, read.texts)
}

/** A cached result may name a blob that was never written, or that a person's git has removed since. */
const isThere = async (reader: BlobReader, { published, own }: MergedBlobs): Promise<boolean> => {
  for (const id of new Set([published, own])) if (id !== null && !(await reader.has(id))) return false
  return true
}

/** The inputs of a resolution. Equal inputs give an equal result. */
interface ResolutionSource extends Three<string | null> {
  readonly path: string
  readonly mode: string
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

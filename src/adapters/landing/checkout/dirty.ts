import type { BigIntStats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BlobId, RepoPath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { CheckoutView, ServedFile } from '#src/ports/git.js'
import type { TouchedFile } from '#src/ports/landing.js'
import { type GitFolder, gitFolder, mapAtMost } from '../failure.js'
import {
  emptyIndex,
  findEntry,
  findStagedAcross,
  type GitIndex,
  type IndexEntry,
  readIndex,
  stageLookup,
  statAt,
  visitInSlices,
} from '../index-file.js'
import { readCurrentIndex } from '../index-lock.js'
import { isAsStaged } from '../index-stat.js'
import { type Conversions, differingFile, openConversions } from './conversions.js'
import { hasCommittedContent, inspectPath, type Leaving, type Lying } from './work-tree.js'

export interface CheckoutComparison {
  readonly lying: ReadonlyMap<RepoPath, Lying>
  /** Files that hold a person's uncommitted work. */
  readonly dirty: ReadonlySet<RepoPath>
}

/** The blobs that the commit has at the path: one or none, and several where it has the name twice. */
export const blobsBefore = ({ before, orBefore = [] }: TouchedFile): ReadonlyArray<BlobId | null> => [
  before,
  ...orBefore,
]

/** A checkout to compare: where it is, its index, and how git converts its files. */
export interface ComparedCheckout {
  readonly repo: string
  readonly folder: GitFolder
  readonly index: GitIndex
  readonly conversions: Conversions
}

/**
 * Looks at paths of the work tree; `blobs` are those that the commit may have at each. Where the bytes of a regular
 * file match none of them, the result also has the blobs that match after git's conversion.
 */
export const inspectPaths = async (
  { repo, folder, index, conversions }: ComparedCheckout,
  files: ReadonlyArray<{ readonly path: RepoPath; readonly blobs: ReadonlyArray<BlobId | null> }>,
  leaving: Leaving,
): Promise<ReadonlyMap<RepoPath, Lying>> => {
  const found = await mapAtMost(files, async ({ path, blobs }) => ({
    path,
    blobs: blobs.filter(blob => blob !== null),
    lying: await inspectPath(repo, path, leaving),
  }))
  const differing = found.flatMap(differingFile)
  const alike = differing.length === 0 ? null : await conversions.alike(folder, index, differing)
  return new Map(
    found.map(({ path, lying }) => {
      const also = alike?.get(path)
      return [path, lying._tag === 'File' && also !== undefined ? { ...lying, alike: also } : lying] as const
    }),
  )
}

/**
 * Compares index and work tree with the commit at these paths (D4), by git's own conversion. A file that the same
 * move removes does not make the new file in its place dirty.
 */
export const compareCheckout = async (
  checkout: ComparedCheckout,
  files: ReadonlyArray<TouchedFile>,
  leaving: Leaving = new Set(),
): Promise<CheckoutComparison> => {
  const { index } = checkout
  const inIndex = stageLookup(index)
  const fresh = files.flatMap(({ path, before }) => (before === null ? [path] : []))
  const crossed = findStagedAcross(index, new Set(fresh), leaving)
  const dirty = new Set<RepoPath>()
  const lying = await inspectPaths(
    checkout,
    files.map(file => ({ path: file.path, blobs: blobsBefore(file) })),
    leaving,
  )
  for (const file of files) {
    const { path } = file
    const there = lying.get(path) ?? { _tag: 'Absent' }
    const entry = inIndex(path)
    const known = blobsBefore(file)
    const isCommitted = known.some(blob => blob === (entry?.id ?? null)) && (entry?.stage ?? 0) === 0
    if (!isCommitted || crossed.has(path) || !known.some(blob => hasCommittedContent(there, blob)))
      dirty.add(path)
  }
  return { lying, dirty }
}

/**
 * Those of the files that hold uncommitted work, by the rule of a landing, sorted. Takes no lock and changes
 * nothing. Throws where the index or a file cannot be read.
 */
export const dirtyNow =
  (repo: string) =>
  async (files: ReadonlyArray<TouchedFile>): Promise<ReadonlyArray<RepoPath>> => {
    const folder = await gitFolder(repo)
    const index = await readCurrentIndex(folder)
    const { dirty } = await compareCheckout(
      { repo, folder, index, conversions: openConversions(repo) },
      files,
    )
    return [...dirty].sort()
  }

/** Returns those of the files that a landing would find dirty; null where that cannot be determined now. */
export type ConfirmDirty = (files: ReadonlyArray<ServedFile>) => Promise<ReadonlySet<string> | null>

export interface DirtyFinderOptions {
  readonly repo: string
  /** Confirms the files that look dirty; absent where no landing can be running. */
  readonly confirm?: ConfirmDirty
  /** Reads one file; tests replace it to count the calls. */
  readonly read?: typeof inspectPath
}

/**
 * Finds the files that a landing would call dirty (D4). A file whose stat data proves that it is as staged is
 * not read; any other is read once, and again when its stat data changes. One that has not the bytes of its blob is
 * compared by git's conversion.
 */
export const dirtyFinder = (options: DirtyFinderOptions) => {
  const { repo, confirm } = options
  let known: ReadonlyMap<string, Known> = new Map()
  let told: { readonly key: string; readonly dirty: ReadonlyArray<string> } = { key: '', dirty: [] }
  const indexNow = openIndex()
  const conversions = openConversions(repo)
  const entriesOf = openEntries()

  /** The state of the files that their stat data does not prove clean. */
  const lookAt = async (
    folder: GitFolder,
    { index, mtimeNs }: KnownIndex,
    files: ReadonlyArray<ServedFile>,
  ): Promise<ReadonlyMap<string, Known>> => {
    const { ofFile, all } = foldersOf(files)
    const foreign = await foreignFolders(repo, all)
    const entries = entriesOf(index, files)
    const next = new Map<string, Known>()
    const unread: Array<StampedFile> = []
    await visitInSlices(files, ({ path, blob }, at) => {
      if (foreign.has(ofFile[at] ?? '')) {
        next.set(path, { stamp: 'foreign', blob, isClean: false })
        return
      }
      const found = statAt(`${repo}/${path}`)
      const before = known.get(path)
      const entry = entries[at] ?? null
      const isProved = found !== null && entry !== null && isAsStaged(entry, found, mtimeNs)
      // Keep the result of the read: once the host rewrites the index, a racy file looks older than it.
      if (before === undefined && isProved) return
      const stamp = stampOf(found)
      if (before?.stamp === stamp && before.blob === blob) next.set(path, before)
      else if (!isProved) unread.push({ path, blob, stamp })
    })
    for (const [path, one] of await readFiles(options, conversions, folder, index, unread))
      next.set(path, one)
    return next
  }

  return async (folder: GitFolder, files: ReadonlyArray<ServedFile>): Promise<CheckoutView['dirty']> => {
    const index = await indexNow(folder)
    known = await lookAt(folder, index, files)
    const entries = entriesOf(index.index, files)
    const suspects = files.filter(
      ({ path }, at) => entries[at] === null || known.get(path)?.isClean === false,
    )
    const stamps = suspects.map(({ path, blob }) => `${path} ${blob} ${known.get(path)?.stamp}`)
    const key = [index.stamp, ...stamps].join('\0')
    if (key === told.key) return told.dirty
    const confirmed =
      confirm === undefined || suspects.length === 0
        ? new Set<string>(suspects.map(({ path }) => path))
        : await confirm(suspects)
    if (confirmed === null) return null
    told = { key, dirty: [...confirmed].sort() }
    return told.dirty
  }
}

/** The result for a file that was read; with the same stamp it is not read again. */
interface Known {
  readonly stamp: string
  readonly blob: string
  readonly isClean: boolean
}

interface KnownIndex {
  readonly stamp: string
  readonly mtimeNs: bigint
  readonly index: GitIndex
}

/** Few, because reads share libuv's four threads with the writes. */
const readsAtOnce = 2

const stampOf = (found: BigIntStats | null): string =>
  found === null ? 'absent' : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}:${found.mode}`

const foldersOf = perValue((files: ReadonlyArray<ServedFile>) => {
  const ofFile = files.map(({ path }) => dirname(path))
  const all = new Set<string>()
  for (const folder of new Set(ofFile))
    for (let above = folder; above !== '.' && !all.has(above); above = dirname(above)) all.add(above)
  return { ofFile, all: [...all].sort() }
})

/** The folders behind a link, or in another checkout: their files are not in this work tree (`inspectPath`). */
const foreignFolders = async (repo: string, folders: ReadonlyArray<string>): Promise<ReadonlySet<string>> => {
  const foreign = new Set<string>()
  // Sorted, so that a folder comes after those above it.
  await visitInSlices(folders, folder => {
    const found = statAt(join(repo, folder))
    const isOwn = found === null || (found.isDirectory() && statAt(join(repo, folder, '.git')) === null)
    if (foreign.has(dirname(folder)) || !isOwn) foreign.add(folder)
  })
  return foreign
}

const openIndex = (): ((folder: GitFolder) => Promise<KnownIndex>) => {
  let known: KnownIndex | null = null
  return async folder => {
    const found = statAt(folder.index)
    const stamp = stampOf(found)
    if (known?.stamp === stamp) return known
    // The mtime is read before the content: an index that is replaced meanwhile has a later one.
    const index = found === null ? emptyIndex : readIndex(await readFile(folder.index))
    known = { stamp, mtimeNs: found?.mtimeNs ?? 0n, index }
    return known
  }
}

interface KnownEntries {
  readonly index: GitIndex
  readonly files: ReadonlyArray<ServedFile>
  readonly of: ReadonlyArray<IndexEntry | null>
}

/** The index entries of the served files, computed once for an index and a snapshot. */
const openEntries = () => {
  let known: KnownEntries | null = null
  return (index: GitIndex, files: ReadonlyArray<ServedFile>): ReadonlyArray<IndexEntry | null> => {
    if (known?.index === index && known.files === files) return known.of
    known = { index, files, of: files.map(({ path, blob }) => findEntry(index, path, blob)) }
    return known.of
  }
}

type StampedFile = ServedFile & { readonly stamp: string }

/** Reads files, and compares those that differ by git's conversion. */
const readFiles = async (
  { repo, read = inspectPath }: DirtyFinderOptions,
  conversions: Conversions,
  folder: GitFolder,
  index: GitIndex,
  unread: ReadonlyArray<StampedFile>,
): Promise<ReadonlyMap<string, Known>> => {
  const seen = await mapAtMost(
    unread,
    async file => ({ ...file, blobs: [file.blob], lying: await read(repo, file.path) }),
    readsAtOnce,
  )
  const differing = seen.flatMap(differingFile)
  const alike = differing.length === 0 ? null : await conversions.alike(folder, index, differing)
  return new Map(
    seen.map(({ path, blob, stamp, lying }) => {
      const isClean = hasCommittedContent(lying, blob) || alike?.get(path)?.has(blob) === true
      return [path, { stamp, blob, isClean }]
    }),
  )
}

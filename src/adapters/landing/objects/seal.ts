import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { BlobId, CommitId, RepoPath } from '#protocol/atoms.js'
import type { DraftBatch, LandingFailure } from '#src/ports/landing.js'
import type { IntentVerdict } from '#src/ports/records.js'
import type { Conversions, FilteredPath } from '../checkout/conversions.js'
import { draftFile, type Lying, putFile, type WaitingFile } from '../checkout/work-tree.js'
import type { Disk } from '../disk.js'
import { type GitFolder, mapAtMost } from '../failure.js'
import { type GitIndex, stageFiles } from '../index-file.js'
import type { HeldIndex } from '../index-lock.js'
import { type RefUpdater, sweepRefLocks } from '../refs.js'
import { type MadeObject, writeObjects } from './object-writer.js'

/** One file after a move of the branch; mode null keeps the current mode. */
export interface MovedFile {
  readonly path: RepoPath
  readonly before: BlobId | null
  readonly after: { readonly mode: string | null; readonly id: BlobId; readonly bytes: Buffer } | null
  readonly lying: Lying
}

/**
 * A move of the branch with everything that must be on disk before it, and its changes to index and work
 * tree.
 */
export interface Seal {
  readonly from: CommitId | null
  readonly to: CommitId
  readonly objects: ReadonlyArray<MadeObject>
  readonly files: ReadonlyArray<MovedFile>
  readonly atMs: number
  /** Sends `to` to the remote before the branch moves; if absent, nothing is sent. */
  readonly publish?: DraftBatch['publish']
  /** Records what is about to be done; durable when it returns. */
  readonly announce: () => void
  /** Records how it ended: the branch moved and everything is refreshed, or it has not moved and will not. */
  readonly settle: (verdict: IntentVerdict) => void
}

export interface SealPorts {
  readonly disk: Disk
  readonly repo: string
  /** The folder of waiting files: on the file system of the work tree, ignored by git. */
  readonly area: string
  readonly folder: GitFolder
  readonly refs: RefUpdater
  readonly conversions: Conversions
}

/** The state of index and work tree after the branch moved; a fault there never undoes the write. */
export interface Sealed {
  /** Files that a person changed meanwhile; they keep the person's changes. */
  readonly left: ReadonlyArray<string>
  /** Why index or work tree are not refreshed yet; null where they are. */
  readonly unfinished: unknown
}

/** The files with the bytes that git would write at those of their paths that it may convert. */
export const convertFiles = async <F extends Pick<MovedFile, 'path' | 'after'>>(
  conversions: Conversions,
  files: ReadonlyArray<F>,
  converting: ReadonlySet<string>,
): Promise<ReadonlyArray<F>> => {
  const wanted = files.flatMap(({ path, after }) =>
    after === null || after.mode === linkMode || !converting.has(path) ? [] : [{ path, id: after.id }],
  )
  const bytes = await conversions.bytesFor(wanted)
  return files.map(file => {
    const converted = bytes.get(file.path)
    return file.after === null || converted === undefined
      ? file
      : { ...file, after: { ...file.after, bytes: converted } }
  })
}

/** Removals come first: a file may replace a folder, and a folder a file. */
export const putAll = async (
  disk: Disk,
  repo: string,
  waiting: ReadonlyArray<WaitingFile>,
): Promise<ReadonlyArray<string>> => {
  const left: Array<string> = []
  const removals = waiting.filter(({ draft }) => draft === null)
  for (const one of [...removals, ...waiting.filter(({ draft }) => draft !== null)])
    if (!(await putFile(disk, repo, one))) left.push(one.path)
  return left
}

/**
 * Makes everything durable, then records the intent, moves the branch, and refreshes index and work tree.
 * Until the branch moves a fault leaves only unreachable objects; afterwards the write is committed, whatever
 * happens. Releases the index unless the refresh is unfinished: then its lock stays, so that no person's
 * commit reverts the write.
 */
export const sealMove = async (
  ports: SealPorts,
  held: HeldIndex,
  seal: Seal,
  signal: AbortSignal,
): Promise<Either<LandingFailure, Sealed>> => {
  const paths = seal.files.flatMap(({ path, after }) => (after === null ? [] : [path]))
  const [filtered] = await ports.conversions.filtered(ports.folder, held.index, paths)
  if (filtered !== undefined) return left(filterRefused(filtered))
  const waiting = await prepareFiles(ports, held, seal)
  seal.announce()
  const sent = signal.aborted ? left(superseded) : await publishCommit(seal)
  const moved = isLeft(sent) ? sent : await moveBranch(ports, held, seal)
  if (isLeft(moved)) {
    await dropDrafts(ports.disk, waiting)
    seal.settle(mayBeThere(seal, sent) ? 'lost' : 'unmade')
    return isLeft(sent) || seal.publish === undefined ? moved : left(publishedAlone(seal, moved.left))
  }
  const sealed = await refreshCheckout(ports, held, waiting)
  return right(sealed.unfinished === null ? markDone(seal, sealed) : sealed)
}

/** The remote has the commit before the branch here; a crash between the two leaves it to the next converge. */
const publishCommit = async ({ to, publish }: Seal): Promise<Either<LandingFailure, void>> => {
  const pushed = await publish?.(to)
  return pushed === undefined || pushed._tag === 'Pushed'
    ? right(undefined)
    : left({
        _tag: 'Unpublished',
        commit: to,
        pushed,
        reason: 'detail' in pushed ? pushed.detail : pushed._tag,
      })
}

/** Whether the remote may have the commit, although the branch here did not move. */
const mayBeThere = ({ publish }: Seal, sent: Either<LandingFailure, void>): boolean =>
  publish !== undefined &&
  (!isLeft(sent) || (sent.left._tag === 'Unpublished' && sent.left.pushed._tag !== 'Behind'))

/** The remote has the commit and the branch here could not move: only a converge shows what stands. */
const publishedAlone = ({ to }: Seal, { _tag }: LandingFailure): LandingFailure => {
  const detail = `The remote has the commit, and the branch here could not move (${_tag}).`
  return { _tag: 'Unpublished', commit: to, pushed: { _tag: 'Unknown', detail }, reason: detail }
}

const nextIndex = (index: GitIndex, files: ReadonlyArray<MovedFile>): GitIndex =>
  stageFiles(index, new Map(files.map(({ path, after }) => [path, after])))

const linkMode = '120000'

const filterRefused = ({ path, filter }: FilteredPath): LandingFailure => ({
  _tag: 'Blocked',
  code: 'filter_command',
  reason: `${path} has the filter ${filter}, whose command no host runs`,
})

const prepareFiles = async (
  { disk, area, folder, conversions }: SealPorts,
  held: HeldIndex,
  seal: Seal,
): Promise<ReadonlyArray<WaitingFile>> => {
  await disk.makeFolder(area)
  const paths = seal.files.flatMap(({ path, after }) => (after === null ? [] : [path]))
  const converting = await conversions.converting(folder, held.index, paths)
  const written = writeObjects(disk, folder.objects, seal.objects)
  // Git converts only a blob that it has.
  if (converting.size > 0) await written
  const files = await convertFiles(conversions, seal.files, converting)
  const [, , waiting] = await Promise.all([
    written,
    held.prepare(nextIndex(held.index, seal.files)),
    mapAtMost(files, file => draftFile(disk, area, file, file.lying)),
  ])
  return waiting
}

const refreshCheckout = async (
  { disk, repo }: SealPorts,
  held: HeldIndex,
  waiting: ReadonlyArray<WaitingFile>,
): Promise<Sealed> => {
  try {
    const left = await putAll(disk, repo, waiting)
    await held.replace()
    await held.release()
    return { left, unfinished: null }
  } catch (error) {
    held.keep()
    return { left: [], unfinished: error }
  }
}

/** A mark that fails undoes nothing: the next recovery sets it. */
const markDone = (seal: Seal, sealed: Sealed): Sealed => {
  try {
    seal.settle('done')
    return sealed
  } catch (error) {
    return { ...sealed, unfinished: error }
  }
}

const dropDrafts = (disk: Disk, waiting: ReadonlyArray<WaitingFile>): Promise<unknown> =>
  Promise.allSettled(waiting.flatMap(({ draft }) => (draft === null ? [] : [disk.remove(draft)])))

/** Where it is unknown whether the branch moved, the lock stays until a recovery finds out. */
const moveBranch = async (
  { disk, repo, refs }: SealPorts,
  held: HeldIndex,
  { from, to, atMs }: Seal,
): Promise<Either<LandingFailure, void>> => {
  try {
    return await refs.move(from, to, async () => {
      await sweepRefLocks(disk, repo, { commits: [to], sinceMs: atMs })
    })
  } catch (error) {
    held.keep()
    throw error
  }
}

const superseded: LandingFailure = {
  _tag: 'Failed',
  reason: 'the write gate was restarted before the branch moved',
}

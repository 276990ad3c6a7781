import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { BlobId, CommitId, type RepoPath } from '#protocol/atoms.js'
import { type GitBatch, openGitBatch } from '#src/adapters/git/git-batch.js'
import type { Draft, LandingFailure } from '#src/ports/landing.js'
import { openConversions } from './checkout/conversions.js'
import { compareCheckout } from './checkout/dirty.js'
import { realDisk } from './disk.js'
import { detached, failureOf, type GitFolder, gitFolder, isOnBranch } from './failure.js'
import type { HeldIndex } from './index-lock.js'
import { chainOf } from './objects/chain.js'
import { type MovedFile, type Seal, sealMove } from './objects/seal.js'
import { openRefUpdater, type RefUpdater, takeIndexLockAsGit } from './refs.js'

/** A file as the commit has it. */
export interface CommittedFile {
  readonly blob: BlobId
  readonly bytes: Buffer
}

/** The next content of one file, computed from the committed one; null: nothing to commit. */
export interface FileCommit {
  readonly path: RepoPath
  readonly compose: (
    before: CommittedFile | null,
  ) => { readonly bytes: Buffer; readonly draft: Omit<Draft, 'after'> } | null
  readonly atMs: number
}

/** The commit that was made; `behind` where index and work tree still have the previous content. */
export interface CommittedBeside {
  readonly commit: CommitId
  readonly behind: boolean
}

/**
 * Commits one file while a daemon may be working in the checkout, like a person's git: under git's lock on
 * the index, by compare-and-swap of the branch, durably (F2). `Moved` where the branch moved without the
 * lock. A person's work at other paths is not touched, staged or not; at this path it gives `Dirty`, and
 * nothing is done.
 */
export const commitBeside = async (
  repo: string,
  commit: FileCommit,
): Promise<Either<LandingFailure, CommittedBeside | null>> => {
  const area = join(repo, '.svc/state/beside')
  const beside: Beside = { repo, area, objects: openGitBatch(repo), refs: openRefUpdater(repo) }
  try {
    return await holdAndCommit(beside, commit)
  } catch (error) {
    return left(failureOf(error))
  } finally {
    beside.refs.close()
    beside.objects.close()
  }
}

const waitsMs = [20, 50, 100, 200, 400, 800, 1600]

type Outcome = Either<LandingFailure, CommittedBeside | null>

/** The checkout of one commit, and the children that work on it. */
interface Beside {
  readonly repo: string
  readonly area: string
  readonly objects: GitBatch
  readonly refs: RefUpdater
}

const readFileAt = async (objects: GitBatch, revision: string): Promise<CommittedFile | null> => {
  const object = await objects.object(revision)
  const blob = BlobId.decode(object?.id)
  return object?.type === 'blob' && !isLeft(blob) ? { blob: blob.right, bytes: object.bytes } : null
}

/** The commit of one draft on `base`, with its objects and the resulting file. */
const composeMove = async (
  objects: GitBatch,
  base: CommitId,
  file: Pick<MovedFile, 'path' | 'before' | 'lying'>,
  next: NonNullable<ReturnType<FileCommit['compose']>>,
  atMs: number,
): Promise<Pick<Seal, 'to' | 'objects' | 'files'>> => {
  const draft = { ...next.draft, after: new Map([[file.path, next.bytes]]) }
  const chain = await chainOf(objects, base, [draft], atMs)
  const [to] = chain.commits
  const blob = chain.files[0]?.get(file.path)
  if (to === undefined || blob === undefined || blob === null) throw new Error('a draft makes a commit')
  const after = { mode: null, id: blob.id, bytes: blob.content }
  return { to, objects: chain.objects, files: [{ ...file, after }] }
}

/** Commits the file while the index is held. */
const commitHeld = async (
  { repo, area, objects, refs }: Beside,
  held: HeldIndex,
  folder: GitFolder,
  { path, compose, atMs }: FileCommit,
): Promise<Outcome> => {
  if (!(await isOnBranch(folder))) return left(detached)
  const base = CommitId.decode((await objects.object('HEAD^{commit}'))?.id)
  if (isLeft(base)) return left({ _tag: 'Failed', reason: 'there is no commit yet: commit the lore first' })
  const from = base.right
  const file = await readFileAt(objects, `${from}:${path}`)
  const before = file?.blob ?? null
  const conversions = openConversions(repo)
  const checkout = { repo, folder, index: held.index, conversions }
  const lies = await compareCheckout(checkout, [{ path, before }])
  if (lies.dirty.size > 0) return left({ _tag: 'Dirty', files: [...lies.dirty] })
  const next = compose(file)
  if (next === null) return right(null)
  const lying = lies.lying.get(path) ?? { _tag: 'Absent' }
  const move = await composeMove(objects, from, { path, before, lying }, next, atMs)
  const sealed = await sealMove(
    { disk: realDisk, repo, area, folder, refs, conversions },
    held,
    { from, ...move, atMs, announce: () => undefined, settle: () => undefined },
    new AbortController().signal,
  )
  if (isLeft(sealed)) return sealed
  const behind = sealed.right.unfinished !== null || sealed.right.left.length > 0
  return right({ commit: move.to, behind })
}

const holdAndCommit = async (beside: Beside, commit: FileCommit): Promise<Outcome> => {
  const folder = await gitFolder(beside.repo)
  const held = await takeIndexLockAsGit(realDisk, folder, waitsMs)
  if (held === null) return left({ _tag: 'Locked', lock: `${folder.index}.lock` })
  try {
    return await commitHeld(beside, held, folder, commit)
  } finally {
    await held.release()
    // A running daemon may have waiting files there: then the folder is not empty, and stays.
    await rmdir(beside.area).catch(() => undefined)
  }
}

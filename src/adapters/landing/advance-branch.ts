import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { BlobId, CommitId, RepoPath, Tree } from '#protocol/atoms.js'
import type { RepositoryStands } from '#src/adapters/git/checkout-state.js'
import type { GitBatch } from '#src/adapters/git/git-batch.js'
import type { Draft, Landed, LandingFailure, Move, Recovered, TouchedFile } from '#src/ports/landing.js'
import type { Intent, Intents } from '#src/ports/records.js'
import type { Conversions } from './checkout/conversions.js'
import {
  blobsBefore,
  type CheckoutComparison,
  type ComparedCheckout,
  compareCheckout,
} from './checkout/dirty.js'
import { hasCommittedContent as liesAs } from './checkout/work-tree.js'
import { sweepChores } from './chores.js'
import type { Disk } from './disk.js'
import { detached, failureOf, type GitFolder, gitFolder, hidePathsOfFailure, isOnBranch } from './failure.js'
import type { IndexMemory } from './index-file.js'
import { type HeldIndex, isOwnLock, readCurrentIndex, takeIndexLock } from './index-lock.js'
import type { Chain } from './objects/chain.js'
import { type MovedFile, type Seal, type Sealed, type SealPorts, sealMove } from './objects/seal.js'
import { treeDiff } from './objects/tree-edit.js'
import { isLittered, recoverIntents } from './recovery.js'
import { isAncestor, type RefUpdater } from './refs.js'

/**
 * Moves the branch to a commit that already exists, forward unless the move replaces the history; `Dirty` where a
 * person's work is in the way.
 */
export const advanceBranch = async (
  context: LandingContext,
  move: Move,
  superseded: AbortSignal,
): Promise<Either<LandingFailure, Landed>> => {
  const locked = await lockBase(context, move.from)
  if (isLeft(locked)) return locked
  const moved = await runContained(context, () => moveLocked(context, locked.right, move, superseded))
  const unlocked = await unlockIndex(context, locked.right)
  return isLeft(unlocked) ? unlocked : moved
}

/** One checkout as all its landings share it: its ports, and what earlier landings found out. */
export interface LandingContext {
  readonly repo: string
  /** The tree that the checkout is: its recovery settles the intents of this one. */
  readonly tree: Tree
  /** The folder of waiting files: on the file system of the work tree, ignored by git. */
  readonly area: string
  readonly disk: Disk
  readonly intents: Intents | null
  readonly lockWaitsMs: ReadonlyArray<number>
  readonly lifeMs: number
  readonly stands: RepositoryStands
  readonly stateStands: () => boolean
  readonly objects: GitBatch
  readonly refs: RefUpdater
  readonly memory: IndexMemory
  readonly conversions: Conversions
  /** Null until git was asked. */
  folder: GitFolder | null
  /** False at the start and after a fault: the next landing then begins with a recovery. */
  isSound: boolean
}

/** Asks git once where its files are, and caches the answer. */
export const locateGit = async (context: LandingContext): Promise<GitFolder> => {
  context.folder = context.folder ?? (await gitFolder(context.repo))
  return context.folder
}

/** What a seal needs of the checkout. */
export const sealPortsOf = (
  { disk, repo, area, refs, conversions }: LandingContext,
  folder: GitFolder,
): SealPorts => ({
  disk,
  repo,
  area,
  folder,
  refs,
  conversions,
})

/**
 * Takes git's lock on the index, in a sound checkout whose HEAD is at `base`; `Moved` where HEAD is
 * elsewhere. The caller releases it with `unlockIndex`.
 */
export const lockBase = async (
  context: LandingContext,
  base: CommitId | null,
): Promise<Either<LandingFailure, LockedCheckout>> => {
  if (!context.isSound) {
    const mended = await mendCheckout(context)
    if (isLeft(mended)) return mended
  }
  const locked = await lockIndex(context)
  if (isLeft(locked)) return locked
  const checked = await runContained(context, async () =>
    (await isHeadAt(context, base)) ? locked : left<LandingFailure>({ _tag: 'Moved' }),
  )
  if (!isLeft(checked)) return checked
  const unlocked = await unlockIndex(context, locked.right)
  return isLeft(unlocked) ? unlocked : checked
}

/**
 * Tracks the running landing of this process: one at a time, without a queue. A look that takes no lock
 * compares the count to know whether a landing ran in between.
 */
export interface Turns {
  /**
   * Begins a landing; null while one is running. The returned function ends it, and does nothing the second
   * time.
   */
  readonly begin: () => (() => void) | null
  /** Whether a landing is running. */
  readonly isBusy: () => boolean
  /** How many landings have begun. */
  readonly count: () => number
  /** Resolves when no landing is running, at once or when the current one has ended. */
  readonly ended: () => Promise<void>
}

/** The turns of the landings of one checkout: at most one landing runs at a time. */
export const makeLandingTurns = (): Turns => {
  let begun = 0
  let current: { readonly over: Promise<void>; readonly end: () => void } | null = null
  return {
    begin: () => {
      if (current !== null) return null
      begun += 1
      let settle = (): void => undefined
      const over = new Promise<void>(resolve => {
        settle = resolve
      })
      const mine = { over, end: settle }
      current = mine
      return () => {
        if (current === mine) current = null
        mine.end()
      }
    },
    isBusy: () => current !== null,
    count: () => begun,
    ended: () => current?.over ?? Promise.resolve(),
  }
}

/** The files that a landing would find dirty. Takes no lock and changes nothing: a dry run uses it. */
export const findDirty = async (
  context: LandingContext,
  base: CommitId | null,
  files: ReadonlyArray<TouchedFile>,
): Promise<Either<LandingFailure, ReadonlySet<RepoPath>>> => {
  const { repo, memory, conversions } = context
  try {
    const folder = await locateGit(context)
    if (!(await isOnBranch(folder))) return left(detached)
    if (!(await isHeadAt(context, base))) return left({ _tag: 'Moved' })
    const index = await readCurrentIndex(folder, memory)
    return right((await compareCheckout({ repo, folder, index, conversions }, files)).dirty)
  } catch (error) {
    return left(hidePathsOfFailure(repo, failureOf(error)))
  }
}

/** The checkout while we hold git's lock on the index. */
export interface LockedCheckout {
  readonly held: HeldIndex
  readonly folder: GitFolder
}

/** The checkout as the lock holds it, to compare it with a commit. */
export const comparedOf = (
  { repo, conversions }: LandingContext,
  { held: { index }, folder }: LockedCheckout,
): ComparedCheckout => ({ repo, folder, index, conversions })

/** Runs work on the checkout. A throw becomes a failure, and the checkout counts as unsound. */
export const runContained = async <A>(
  context: LandingContext,
  work: () => Promise<Either<LandingFailure, A>>,
): Promise<Either<LandingFailure, A>> => {
  try {
    return await work()
  } catch (error) {
    context.isSound = false
    return left(failureOf(error))
  }
}

/** Releases the lock, unless a recovery has to find it. */
export const unlockIndex = (
  context: LandingContext,
  { held }: LockedCheckout,
): Promise<Either<LandingFailure, void>> => runContained(context, async () => right(await held.release()))

/** Completes what a crash or a fault left unfinished. The checkout is sound when it succeeds. */
export const mendCheckout = async (context: LandingContext): Promise<Either<LandingFailure, Recovered>> => {
  const { disk, repo, intents, lifeMs } = context
  if (intents === null) return right(nothing)
  try {
    await sweepChores(disk, repo, () => locateGit(context), lifeMs)
    const outcome = (await isAtRest(context, intents)) ? right(nothing) : await endOpen(context, intents)
    if (!isLeft(outcome)) context.isSound = true
    return outcome
  } catch (error) {
    return left(failureOf(error))
  }
}

/**
 * Repeats a failed refresh at once, so that a person's git need not wait for our lock until the next write.
 */
export const finishSealed = async (
  context: LandingContext,
  sealed: Sealed,
  commits: ReadonlyArray<CommitId>,
): Promise<Landed> => {
  const landed = { commits, left: sealed.left }
  if (sealed.unfinished === null) return landed
  context.isSound = false
  const mended = await mendCheckout(context)
  if (context.intents === null || isLeft(mended))
    return { ...landed, unfinished: hidePathsOfFailure(context.repo, failureOf(sealed.unfinished)) }
  return { commits, left: mended.right.left }
}

/** What each commit of the chain does to each file, relative to the commit before it. */
export const intentsOf = (
  { tree, base, files, atMs }: ChainBase,
  drafts: ReadonlyArray<Draft>,
  chain: Chain,
): ReadonlyArray<Intent> => {
  const now = new Map(files.map(({ path, before }) => [path, before]))
  return drafts.flatMap(({ intent: id, actor, route, audit = [], notices = [] }, at) => {
    const commit = chain.commits[at]
    if (commit === undefined) return []
    const paths = [...(chain.files[at] ?? [])].map(([path, blob]) => {
      const old = now.get(path) ?? null
      now.set(path, blob?.id ?? null)
      return { path, old, new: blob?.id ?? null }
    })
    const parent = chain.commits[at - 1] ?? base
    return [{ id, tree, atMs, actor, route, commit, parent, state: 'prepared', paths, audit, notices }]
  })
}

/** How a seal records its intents; it records nothing without a database. */
export const intentHooks = (
  intents: Intents | null,
  batch: ReadonlyArray<Intent>,
): Pick<Seal, 'announce' | 'settle'> => ({
  announce: () => intents?.prepare(batch),
  settle: verdict => {
    intents?.settle(
      batch.map(({ id }) => id),
      verdict,
    )
    for (const { atMs } of batch.slice(0, 1)) intents?.forget(atMs - keptMs)
  },
})

type Differing = Awaited<ReturnType<typeof treeDiff>>

/** Paths that the move removes or renames by case: a file there does not block the move. */
const listLeavingPaths = (differing: Differing): ReadonlySet<RepoPath> =>
  new Set(
    differing.flatMap(({ path, after, orBefore }) =>
      after === null || orBefore !== undefined ? [path] : [],
    ),
  )

const readBlob = async (objects: GitBatch, id: BlobId): Promise<Buffer> => {
  const object = await objects.object(id)
  if (object?.type !== 'blob') throw new Error(`the blob ${id} cannot be read; run \`git fsck\``)
  return object.bytes
}

const readMovedFiles = (
  objects: GitBatch,
  differing: Differing,
  lies: CheckoutComparison,
): Promise<ReadonlyArray<MovedFile>> =>
  Promise.all(
    differing.map(async (file): Promise<MovedFile> => {
      const { path, after } = file
      const lying = lies.lying.get(path) ?? { _tag: 'Absent' }
      return {
        path,
        before: blobsBefore(file).find(blob => liesAs(lying, blob)) ?? null,
        after: after === null ? null : { ...after, bytes: await readBlob(objects, after.id) },
        lying,
      }
    }),
  )

const intentOf = (
  tree: Tree,
  { intent: id, from, to, reason, atMs }: Move,
  differing: Differing,
): Intent => ({
  id,
  tree,
  atMs,
  actor: 'machine',
  route: reason,
  commit: to,
  parent: from,
  state: 'prepared',
  paths: differing.flatMap(file =>
    blobsBefore(file).map(old => ({ path: file.path, old, new: file.after?.id ?? null })),
  ),
})

const moveLocked = async (
  context: LandingContext,
  locked: LockedCheckout,
  move: Move,
  superseded: AbortSignal,
): Promise<Either<LandingFailure, Landed>> => {
  const { repo, objects } = context
  const { held, folder } = locked
  const { from, to, atMs } = move
  if (move.replaces !== true && !(await isAncestor(repo, from, to)))
    return left({ _tag: 'Failed', reason: `${to} does not have ${from} among its ancestors` })
  const differing = await treeDiff(repo, from, to)
  const lies = await compareCheckout(comparedOf(context, locked), differing, listLeavingPaths(differing))
  if (lies.dirty.size > 0) return left({ _tag: 'Dirty', files: [...lies.dirty].sort() })
  const files = await readMovedFiles(objects, differing, lies)
  const sealed = await sealMove(
    sealPortsOf(context, folder),
    held,
    {
      from,
      to,
      atMs,
      objects: [],
      files,
      ...intentHooks(context.intents, [intentOf(context.tree, move, differing)]),
    },
    superseded,
  )
  return isLeft(sealed) ? sealed : right(await finishSealed(context, sealed.right, [to]))
}

/**
 * Whether HEAD is at the commit. Call it under the lock: files are dirty by comparison with the tree of HEAD.
 */
const isHeadAt = async ({ objects }: LandingContext, commit: CommitId | null): Promise<boolean> =>
  ((await objects.object('HEAD^{commit}'))?.id ?? null) === commit

/** Takes git's lock on the index, where HEAD names a branch. The caller releases it with `unlockIndex`. */
const lockIndex = (context: LandingContext): Promise<Either<LandingFailure, LockedCheckout>> =>
  runContained(context, async () => {
    const folder = await locateGit(context)
    const held = await takeIndexLock(context.disk, folder, context.lockWaitsMs, context.memory)
    if (held === null) return left({ _tag: 'Locked', lock: `${folder.index}.lock` })
    try {
      if (await isOnBranch(folder)) return right({ held, folder })
    } catch (error) {
      await held.release()
      throw error
    }
    await held.release()
    return left(detached)
  })

/** Runs work under git's lock on the index. */
const runUnderLock = async <A>(
  context: LandingContext,
  work: (locked: LockedCheckout) => Promise<Either<LandingFailure, A>>,
): Promise<Either<LandingFailure, A>> => {
  const locked = await lockIndex(context)
  if (isLeft(locked)) return locked
  const done = await runContained(context, () => work(locked.right))
  const unlocked = await unlockIndex(context, locked.right)
  return isLeft(unlocked) ? unlocked : done
}

const nothing: Recovered = { landed: [], lost: [], left: [] }
const idOf = ({ id }: Intent): string => id

/** Whether no intent and no lock of a landing is left, so that no recovery needs git's locks. */
const isAtRest = async (context: LandingContext, intents: Intents): Promise<boolean> => {
  if (intents.prepared(context.tree).length > 0) return false
  const folder = await locateGit(context)
  return !(await isLittered(context.area, folder)) && !(await isOwnLock(folder))
}

const endOpen = (context: LandingContext, intents: Intents): Promise<Either<LandingFailure, Recovered>> =>
  runUnderLock(context, async ({ held, folder }) => {
    const { disk, repo, tree, area, objects, conversions } = context
    const ports = { disk, repo, tree, area, folder, intents, objects, conversions }
    const found = await recoverIntents(ports, held)
    return right({ ...found, landed: found.landed.map(idOf), lost: found.lost.map(idOf) })
  })

interface ChainBase {
  readonly tree: Tree
  readonly base: CommitId | null
  readonly files: ReadonlyArray<TouchedFile>
  readonly atMs: number
}

/** How long ended intents are kept, for callers who ask about a write later. */
const keptMs = 90 * 86_400_000

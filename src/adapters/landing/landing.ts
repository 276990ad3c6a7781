import { join } from 'node:path'
import { type Either, isLeft, left, mapLeft, right } from 'fp-ts/lib/Either.js'
import type { BlobId, CommitId, RepoPath, Tree } from '#protocol/atoms.js'
import { goneWords, stateGoneWords } from '#protocol/host/discovery.js'
import { type RepositoryStands, repositoryStands } from '#src/adapters/git/checkout-state.js'
import { openGitBatch } from '#src/adapters/git/git-batch.js'
import type {
  Draft,
  DraftBatch,
  Landed,
  Landing,
  LandingBusy,
  LandingFailure,
  LandingSession,
  TouchedFile,
} from '#src/ports/landing.js'
import type { Intents } from '#src/ports/records.js'
import {
  advanceBranch,
  comparedOf,
  findDirty,
  finishSealed,
  intentHooks,
  intentsOf,
  type LandingContext,
  type LockedCheckout,
  locateGit,
  lockBase,
  makeLandingTurns,
  mendCheckout,
  runContained,
  sealPortsOf,
  type Turns,
  unlockIndex,
} from './advance-branch.js'
import { openConversions } from './checkout/conversions.js'
import { type CheckoutComparison, compareCheckout } from './checkout/dirty.js'
import { bootMs } from './chores.js'
import { type Disk, realDisk } from './disk.js'
import { hideHostPaths, hidePathsOfFailure } from './failure.js'
import { openIndexMemory } from './index-file.js'
import { type Chain, chainOf } from './objects/chain.js'
import { type MovedFile, sealMove } from './objects/seal.js'
import { proveDisk } from './recovery.js'
import { openRefUpdater } from './refs.js'

export interface LandingOptions {
  readonly repo: string
  /** The tree that the checkout is. Default: the lore. */
  readonly tree?: Tree
  /** Where a landing records what it is about to do; null where no recovery will ask. */
  readonly intents: Intents | null
  readonly disk?: Disk
  /** Pauses between the attempts to take git's lock on the index. */
  readonly lockWaitsMs?: ReadonlyArray<number>
  /** When this process began. */
  readonly lifeMs?: number
  /**
   * Whether the repository still exists; otherwise nothing is written. Default: compared with its identity
   * now.
   */
  readonly stands?: RepositoryStands
  /** Whether the intents are still stored where the next start reads them. Default: always. */
  readonly stateStands?: () => boolean
}

/** A landing with the child process that reads its objects. */
export type OpenLanding = Landing & { readonly close: () => void }

/** Lands commits in a checkout with git's own locks, objects and index (ADR 1010). */
export const openLanding = (options: LandingOptions): OpenLanding => {
  const context = openContext(options)
  const turns = makeLandingTurns()
  return {
    open: (base, superseded) => open(context, turns, base, superseded),
    look: (base, files) => look(context, turns, base, files),
    ended: turns.ended,
    advance: (move, superseded) =>
      tryLanding(context, turns, superseded, () => advanceBranch(context, move, superseded)),
    recover: () => runBetween(turns, () => runGuarded(context, () => mendCheckout(context))),
    stands: context.stands,
    prove: () => runBetween(turns, () => prove(context)),
    close: () => {
      context.refs.close()
      context.objects.close()
    },
  }
}

const defaultWaitsMs = [10, 20, 50, 100, 200, 400, 800, 1600]

const openContext = ({
  repo,
  tree = 'lore',
  intents,
  disk = realDisk,
  lockWaitsMs = defaultWaitsMs,
  lifeMs = bootMs,
  stands = repositoryStands(repo),
  stateStands = () => true,
}: LandingOptions): LandingContext => ({
  ...{ repo, tree, intents, disk, lockWaitsMs, lifeMs, stands, stateStands },
  area: join(repo, '.svc/state/checkout'),
  objects: openGitBatch(repo),
  refs: openRefUpdater(repo),
  memory: openIndexMemory(),
  conversions: openConversions(repo),
  folder: null,
  isSound: false,
})

/** A failure without paths of the host. After a lock that stays, the next landing begins with a recovery. */
const closeFailure = (context: LandingContext, failure: LandingFailure): LandingFailure => {
  // A recovery leaves a lock that a living git might hold. The next write recovers again: that git may have
  // ended.
  if (failure._tag === 'Locked') context.isSound = false
  return hidePathsOfFailure(context.repo, failure)
}

/** Runs the work where repository and state area still exist. Its failure contains no path of the host. */
const runGuarded = async <A>(
  context: LandingContext,
  work: () => Promise<Either<LandingFailure, A>>,
): Promise<Either<LandingFailure, A>> => {
  const gone = (await context.stands()) ? (context.stateStands() ? null : stateGoneWords) : goneWords
  const outcome = gone === null ? await work() : left({ _tag: 'Failed', reason: gone } as const)
  return mapLeft((failure: LandingFailure) => closeFailure(context, failure))(outcome)
}

const prove = async (context: LandingContext): Promise<string | null> => {
  if (!context.stateStands()) return stateGoneWords
  const reason = await proveDisk(context.disk, context.area, locateGit(context), context.intents)
  return reason === null ? null : hideHostPaths(context.repo, reason)
}

const otherUnderWay: LandingFailure = {
  _tag: 'Failed',
  reason: 'another landing of this host is under way',
}

const supersededNow: LandingFailure = {
  _tag: 'Failed',
  reason: 'the write gate was restarted before the branch moved',
}

/** Runs a landing if none is running. A superseded gate starts none, because its successor may be working. */
const tryLanding = async <A>(
  context: LandingContext,
  turns: Turns,
  superseded: AbortSignal,
  work: () => Promise<Either<LandingFailure, A>>,
): Promise<Either<LandingFailure, A>> => {
  if (superseded.aborted) return left(supersededNow)
  const end = turns.begin()
  if (end === null) return left(otherUnderWay)
  try {
    return await runGuarded(context, work)
  } finally {
    end()
  }
}

/** Runs work when no landing is running: what a superseded gate began has ended then. */
const runBetween = async <A>(turns: Turns, work: () => Promise<A>): Promise<A> => {
  let end = turns.begin()
  while (end === null) {
    await turns.ended()
    end = turns.begin()
  }
  try {
    return await work()
  } finally {
    end()
  }
}

const open = async (
  context: LandingContext,
  turns: Turns,
  base: CommitId | null,
  superseded: AbortSignal,
): Promise<Either<LandingFailure, LandingSession>> => {
  if (superseded.aborted) return left(supersededNow)
  const end = turns.begin()
  if (end === null) return left(otherUnderWay)
  const opened = await runGuarded(context, () => openSession(context, base, superseded))
  if (isLeft(opened)) {
    end()
    return opened
  }
  const { inspect, commit, close } = opened.right
  const shown = mapLeft((failure: LandingFailure) => closeFailure(context, failure))
  return right({
    inspect: async files => shown(await inspect(files)),
    commit: async batch => shown(await commit(batch)),
    close: async () => {
      await close()
      end()
    },
  })
}

const look = async (
  context: LandingContext,
  turns: Turns,
  base: CommitId | null,
  files: ReadonlyArray<TouchedFile>,
): Promise<Either<LandingFailure | LandingBusy, ReadonlySet<RepoPath>>> => {
  if (turns.isBusy()) return left({ _tag: 'Busy' })
  const begun = turns.count()
  const found = await findDirty(context, base, files)
  return turns.count() === begun ? found : left({ _tag: 'Busy' })
}

/** The files that a session has compared with index and work tree, and the result. */
interface Inspected {
  readonly files: ReadonlyArray<TouchedFile>
  readonly lies: CheckoutComparison
}

const nothingInspected: Inspected = { files: [], lies: { lying: new Map(), dirty: new Set() } }

/** What the whole chain makes of each file: its last draft decides. */
const listMovedFiles = ({ files, lies }: Inspected, chain: Chain): ReadonlyArray<MovedFile> => {
  const before = new Map<RepoPath, BlobId | null>(files.map(file => [file.path, file.before]))
  const last = new Map(chain.files.flatMap(drafted => [...drafted]))
  return [...last].map(([path, blob]) => ({
    path,
    before: before.get(path) ?? null,
    after: blob === null ? null : { mode: null, id: blob.id, bytes: blob.content },
    lying: lies.lying.get(path) ?? { _tag: 'Absent' },
  }))
}

/**
 * The first path of the drafts that was not found clean, so that a mistake of the caller overwrites no
 * person's work.
 */
const unseenPath = (drafts: ReadonlyArray<Draft>, { lies }: Inspected): RepoPath | null => {
  for (const { after } of drafts)
    for (const path of after.keys()) if (!lies.lying.has(path) || lies.dirty.has(path)) return path
  return null
}

/** Makes the commits of drafts and moves the branch to the last of them. */
const commitDrafts = async (
  context: LandingContext,
  { held, folder }: LockedCheckout,
  base: CommitId | null,
  inspected: Inspected,
  { drafts, atMs, sign, publish }: DraftBatch,
  superseded: AbortSignal,
): Promise<Either<LandingFailure, Landed>> => {
  if (drafts.length === 0) return right({ commits: [], left: [] })
  const unseen = unseenPath(drafts, inspected)
  if (unseen !== null) return left({ _tag: 'Failed', reason: `${unseen} was not verified as clean` })
  const chain = await chainOf(context.objects, base, drafts, atMs, sign)
  const to = chain.commits.at(-1)
  if (to === undefined) throw new Error('a draft makes a commit')
  const intents = intentsOf({ tree: context.tree, base, files: inspected.files, atMs }, drafts, chain)
  const sealed = await sealMove(
    sealPortsOf(context, folder),
    held,
    {
      from: base,
      to,
      atMs,
      objects: chain.objects,
      files: listMovedFiles(inspected, chain),
      ...(publish === undefined ? {} : { publish }),
      ...intentHooks(context.intents, intents),
    },
    superseded,
  )
  return isLeft(sealed) ? sealed : right(await finishSealed(context, sealed.right, chain.commits))
}

/** Takes the lock of the index for commits on `base`, and opens a session with it. */
const openSession = async (
  context: LandingContext,
  base: CommitId | null,
  superseded: AbortSignal,
): Promise<Either<LandingFailure, LandingSession>> => {
  const locked = await lockBase(context, base)
  if (isLeft(locked)) return locked
  let inspected = nothingInspected
  return right({
    inspect: files =>
      runContained(context, async () => {
        inspected = { files, lies: await compareCheckout(comparedOf(context, locked.right), files) }
        return right(inspected.lies.dirty)
      }),
    commit: batch =>
      runContained(context, () => commitDrafts(context, locked.right, base, inspected, batch, superseded)),
    close: async () => {
      await unlockIndex(context, locked.right)
    },
  })
}

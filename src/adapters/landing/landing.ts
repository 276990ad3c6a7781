import { join } from 'node:path'
import { type Either, isLeft, left, mapLeft } from 'fp-ts/lib/Either.js'
import { goneWords, stateGoneWords } from '#protocol/discovery/gone-words.js'
import { openGitBatch } from '#src/adapters/git/git-batch.js'
import { type RepositoryStands, repositoryStands } from '#src/adapters/git/repository-stands.js'
import { openWorkQueue } from '#src/kernel/time/work-queue.js'
import type { Dirty, Landing, LandingFailure } from '#src/ports/git/landing.js'
import type { Intents } from '#src/ports/records/intents.js'
import { bootMs } from './chores.js'
import { closedFailure, closedWords } from './closed-words.js'
import { type Disk, realDisk } from './disk.js'
import { openIndexMemory } from './index/index-memory.js'
import { advanceBranch } from './moves/advance-branch.js'
import { type LandingContext, locateGit } from './moves/context.js'
import { findDirty } from './moves/find-dirty.js'
import { landDrafts } from './moves/land-drafts.js'
import { mendCheckout } from './moves/mend.js'
import { proveDisk } from './prove.js'
import { openRefUpdater } from './refs/ref-updater.js'

export interface LandingOptions {
  readonly repo: string
  /** Where a landing tells what it is about to do; null where nobody asks after a crash. */
  readonly intents: Intents | null
  readonly disk?: Disk
  /** Pauses between tries to take git's lock on the index from a person. */
  readonly lockWaitsMs?: ReadonlyArray<number>
  /** When this process began. */
  readonly lifeMs?: number
  /** Whether the repository is still there: nothing is written where it was. Default: as it is at the opening. */
  readonly stands?: RepositoryStands
  /** Whether the intents are still kept where the next start reads them. Default: always. */
  readonly stateStands?: () => boolean
}

/** A landing with the child that reads objects for it. */
export type OpenLanding = Landing & { readonly close: () => void }

const defaultWaitsMs = [10, 20, 50, 100, 200, 400, 800, 1600]

const openContext = ({
  repo,
  intents,
  disk = realDisk,
  lockWaitsMs = defaultWaitsMs,
  lifeMs = bootMs,
  stands = repositoryStands(repo),
  stateStands = () => true,
}: LandingOptions): LandingContext => ({
  ...{ repo, intents, disk, lockWaitsMs, lifeMs, stands, stateStands },
  area: join(repo, '.svc/state/checkout'),
  objects: openGitBatch(repo),
  refs: openRefUpdater(repo),
  memory: openIndexMemory(),
  folder: null,
  isSound: false,
})

/** Runs the work where repository and state area are still there. Its failure has no path of the host in it. */
const runGuarded = async <A>(
  context: LandingContext,
  work: () => Promise<Either<LandingFailure, A>>,
): Promise<Either<LandingFailure, A>> => {
  const gone = (await context.stands()) ? (context.stateStands() ? null : stateGoneWords) : goneWords
  const outcome = gone === null ? await work() : left({ _tag: 'Failed', reason: gone } as const)
  // A recovery leaves a lock while a living git might hold it. The next write recovers again: that git may have ended.
  if (isLeft(outcome) && outcome.left._tag === 'Locked') context.isSound = false
  return mapLeft((failure: LandingFailure) => closedFailure(context.repo, failure))(outcome)
}

const prove = async (context: LandingContext): Promise<string | null> => {
  if (!context.stateStands()) return stateGoneWords
  const reason = await proveDisk(context.disk, context.area, locateGit(context), context.intents)
  return reason === null ? null : closedWords(context.repo, reason)
}

/** Lands commits in a checkout with git's own locks, objects and index (ADR 0100). */
export const openLanding = (options: LandingOptions): OpenLanding => {
  const context = openContext(options)
  const inTurn = openWorkQueue()
  const guarded = <A>(work: () => Promise<Either<LandingFailure, A>>): Promise<Either<LandingFailure, A>> =>
    inTurn(() => runGuarded(context, work))
  const dirty: Dirty = (base, files) => findDirty(context, base, files)
  return {
    between: work => inTurn(() => work(dirty)),
    land: (batch, superseded) => guarded(() => landDrafts(context, batch, superseded)),
    advance: (move, superseded) => guarded(() => advanceBranch(context, move, superseded)),
    recover: () => guarded(() => mendCheckout(context)),
    stands: context.stands,
    prove: () => inTurn(() => prove(context)),
    close: () => {
      context.refs.close()
      context.objects.close()
    },
  }
}

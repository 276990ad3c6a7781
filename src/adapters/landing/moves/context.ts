import type { CommitId } from '#protocol/atoms.js'
import type { GitBatch } from '#src/adapters/git/git-batch.js'
import type { RepositoryStands } from '#src/adapters/git/repository-stands.js'
import type { Intents } from '#src/ports/records.js'
import type { Conversions } from '../checkout/conversions.js'
import type { Disk } from '../disk.js'
import { type GitFolder, gitFolder } from '../git-folder.js'
import type { IndexMemory } from '../index/index-memory.js'
import type { SealPorts } from '../objects/seal.js'
import type { RefUpdater } from '../refs/ref-updater.js'

/** One checkout as all its landings share it: its ports, and what earlier landings found out. */
export interface LandingContext {
  readonly repo: string
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

/**
 * Whether HEAD is at the commit. Call it under the lock: files are dirty by comparison with the tree of HEAD.
 */
export const isHeadAt = async ({ objects }: LandingContext, commit: CommitId | null): Promise<boolean> =>
  ((await objects.object('HEAD^{commit}'))?.id ?? null) === commit

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

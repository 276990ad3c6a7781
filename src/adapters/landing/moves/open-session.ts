import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { BlobId, CommitId, RepoPath } from '#protocol/atoms.js'
import type {
  Draft,
  DraftBatch,
  Landed,
  LandingFailure,
  LandingSession,
  TouchedFile,
} from '#src/ports/landing.js'
import { type CheckoutComparison, compareCheckout } from '../checkout/dirty.js'
import { type Chain, chainOf } from '../objects/chain.js'
import { type MovedFile, sealMove } from '../objects/seal.js'
import { intentHooks, intentsOf } from '../seal-intents.js'
import { type LandingContext, sealPortsOf } from './context.js'
import { lockBase } from './lock-base.js'
import { finishSealed } from './mend.js'
import { comparedOf, type LockedCheckout, runContained, unlockIndex } from './under-lock.js'

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
  { drafts, atMs, sign }: DraftBatch,
  superseded: AbortSignal,
): Promise<Either<LandingFailure, Landed>> => {
  if (drafts.length === 0) return right({ commits: [], left: [] })
  const unseen = unseenPath(drafts, inspected)
  if (unseen !== null) return left({ _tag: 'Failed', reason: `${unseen} was not verified as clean` })
  const chain = await chainOf(context.objects, base, drafts, atMs, sign)
  const to = chain.commits.at(-1)
  if (to === undefined) throw new Error('a draft makes a commit')
  const intents = intentsOf({ base, files: inspected.files, atMs }, drafts, chain)
  const sealed = await sealMove(
    sealPortsOf(context, folder),
    held,
    {
      from: base,
      to,
      atMs,
      objects: chain.objects,
      files: listMovedFiles(inspected, chain),
      ...intentHooks(context.intents, intents),
    },
    superseded,
  )
  return isLeft(sealed) ? sealed : right(await finishSealed(context, sealed.right, chain.commits))
}

/** Takes the lock of the index for commits on `base`, and opens a session with it. */
export const openSession = async (
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

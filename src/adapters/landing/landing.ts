import { join } from 'node:path'
import { type Either, isLeft, left, mapLeft, right } from 'fp-ts/lib/Either.js'
import type { BlobId, CommitId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import { goneWords, stateGoneWords } from '#protocol/discovery/gone-words.js'
import { type GitBatch, openGitBatch } from '#src/adapters/git/git-batch.js'
import { type RepositoryStands, repositoryStands } from '#src/adapters/git/repository-stands.js'
import type {
  Batch,
  Dirty,
  Landed,
  Landing,
  LandingFailure,
  Move,
  Recovered,
} from '#src/ports/git/landing.js'
import type { Intent, Intents } from '#src/ports/records/intents.js'
import { blobsBefore, type Found, found } from './checkout/dirty.js'
import { stands as liesAs } from './checkout/work-tree.js'
import { bootMs, sweepChores } from './chores.js'
import { closedFailure, closedWords } from './closed-words.js'
import { type Disk, realDisk } from './disk.js'
import { detached, failureOf } from './failure.js'
import { type GitFolder, gitFolder, isOnBranch } from './git-folder.js'
import { type HeldIndex, holdIndex, isOwnLock, standing } from './index/index-lock.js'
import { openIndexMemory } from './index/index-memory.js'
import { type Chain, chainOf } from './objects/chain.js'
import { type MovedFile, type Sealed, sealMove } from './objects/seal.js'
import { treeDiff } from './objects/tree-diff.js'
import { proveDisk } from './prove.js'
import { isLittered, recover } from './recovery.js'
import { isAncestor, openRefUpdater } from './refs/ref-updater.js'
import { intentsOf, toldTo } from './told.js'

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

/** What the whole chain makes of each file: the last draft that touches it says. */
const movedFiles = (batch: Batch, chain: Chain, { lying }: Found): ReadonlyArray<MovedFile> => {
  const before = new Map<RepoPath, BlobId | null>(batch.files.map(file => [file.path, file.before]))
  const last = new Map(chain.files.flatMap(files => [...files]))
  return [...last].map(([path, blob]) => ({
    path,
    before: before.get(path) ?? null,
    after: blob === null ? null : { mode: null, id: blob.id, bytes: blob.content },
    lying: lying.get(path) ?? { _tag: 'Absent' },
  }))
}

type Work<A> = (held: HeldIndex, folder: GitFolder) => Promise<Either<LandingFailure, A>>

const nothing: Recovered = { landed: [], lost: [], left: [] }
const idOf = ({ id }: Intent): string => id

/** Lands commits in a checkout with git's own locks, objects and index (ARCHITECTURE "Writing", ADR 0100). */
export const openLanding = ({
  repo,
  intents,
  disk = realDisk,
  lockWaitsMs = defaultWaitsMs,
  lifeMs = bootMs,
  stands = repositoryStands(repo),
  stateStands = () => true,
}: LandingOptions): OpenLanding => {
  const batch: GitBatch = openGitBatch(repo)
  const refs = openRefUpdater(repo)
  const memory = openIndexMemory()
  const area = join(repo, '.svc/state/checkout')
  let folder: GitFolder | null = null
  const whereGitIs = async (): Promise<GitFolder> => {
    folder = folder ?? (await gitFolder(repo))
    return folder
  }
  /** False after a fault, and at the start: then what may lie open is ended before anything else. */
  let isSound = false
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }

  const underLock = async <A>(work: Work<A>): Promise<Either<LandingFailure, A>> => {
    try {
      const known = await whereGitIs()
      const index = await holdIndex(disk, known, lockWaitsMs, memory)
      if (index === null) return left({ _tag: 'Locked', lock: `${known.index}.lock` })
      try {
        return (await isOnBranch(known)) ? await work(index, known) : left(detached)
      } finally {
        await index.release()
      }
    } catch (error) {
      isSound = false
      return left(failureOf(error))
    }
  }

  /** Whether nothing lies open: then nobody's git has to wait for a recovery. */
  const isAtRest = async (told: Intents): Promise<boolean> => {
    if (told.prepared().length > 0) return false
    const known = await whereGitIs()
    return !(await isLittered(area, known)) && !(await isOwnLock(known))
  }

  const ended = (told: Intents): Promise<Either<LandingFailure, Recovered>> =>
    underLock(async (index, known) => {
      const found = await recover({ disk, repo, area, folder: known, intents: told, objects: batch }, index)
      return right({ ...found, landed: found.landed.map(idOf), lost: found.lost.map(idOf) })
    })

  const recovered = async (): Promise<Either<LandingFailure, Recovered>> => {
    if (intents === null) return right(nothing)
    try {
      await sweepChores(disk, repo, whereGitIs, lifeMs)
      const outcome = (await isAtRest(intents)) ? right(nothing) : await ended(intents)
      if (!isLeft(outcome)) isSound = true
      return outcome
    } catch (error) {
      return left(failureOf(error))
    }
  }

  /** A refresh that failed is tried once more at once, so that nobody waits at a lock of ours for the next write. */
  const finished = async (sealed: Sealed, commits: ReadonlyArray<CommitId>): Promise<Landed> => {
    const landed = { commits, left: sealed.left }
    if (sealed.unfinished === null) return landed
    isSound = false
    const mended = await recovered()
    if (intents === null || isLeft(mended))
      return { ...landed, unfinished: closedFailure(repo, failureOf(sealed.unfinished)) }
    return { commits, left: mended.right.left }
  }

  /** Asked under the lock, for what lies dirty is told against what HEAD has. */
  const standsAt = async (commit: CommitId | null): Promise<boolean> =>
    ((await batch.object('HEAD^{commit}'))?.id ?? null) === commit

  const held = async <A>(base: CommitId | null, work: Work<A>): Promise<Either<LandingFailure, A>> => {
    const mended = isSound ? right(nothing) : await recovered()
    if (isLeft(mended)) return mended
    return underLock(async (index, known) =>
      (await standsAt(base)) ? work(index, known) : left({ _tag: 'Moved' }),
    )
  }

  const land = (asked: Batch, superseded: AbortSignal): Promise<Either<LandingFailure, Landed>> =>
    held(asked.base, async (index, known) => {
      const lies = await found(repo, index, asked.files)
      const drafts = asked.compose(lies.dirty)
      if (drafts.length === 0) return right({ commits: [], left: [] })
      const chain = await chainOf(batch, asked.base, drafts, asked.atMs, asked.sign)
      const to = chain.commits.at(-1)
      if (to === undefined) throw new Error('a draft makes a commit')
      const sealed = await sealMove(
        { disk, repo, area, folder: known, refs },
        index,
        {
          from: asked.base,
          to,
          atMs: asked.atMs,
          objects: chain.objects,
          files: movedFiles(asked, chain, lies),
          ...toldTo(intents, intentsOf(asked, drafts, chain)),
        },
        superseded,
      )
      return isLeft(sealed) ? sealed : right(await finished(sealed.right, chain.commits))
    })

  const blobOf = async (id: BlobId): Promise<Buffer> => {
    const object = await batch.object(id)
    if (object?.type !== 'blob') throw new Error(`the blob ${id} cannot be read; run \`git fsck\``)
    return object.bytes
  }

  const advance = async (asked: Move, superseded: AbortSignal): Promise<Either<LandingFailure, Landed>> =>
    held(asked.from, async (index, known) => {
      const { intent: id, from, to, reason, atMs } = asked
      if (!(await isAncestor(repo, from, to)))
        return left({ _tag: 'Failed', reason: `${to} does not have ${from} among its ancestors` })
      const differing = await treeDiff(repo, from, to)
      const leaving = new Set(
        differing.flatMap(({ path, after, orBefore }) =>
          after === null || orBefore !== undefined ? [path] : [],
        ),
      )
      const lies = await found(repo, index, differing, leaving)
      if (lies.dirty.size > 0) return left({ _tag: 'Dirty', files: [...lies.dirty].sort() })
      const files = await Promise.all(
        differing.map(async (file): Promise<MovedFile> => {
          const { path, after } = file
          const lying = lies.lying.get(path) ?? { _tag: 'Absent' }
          return {
            path,
            before: blobsBefore(file).find(blob => liesAs(lying, blob)) ?? null,
            after: after === null ? null : { ...after, bytes: await blobOf(after.id) },
            lying,
          }
        }),
      )
      const paths = differing.flatMap(file =>
        blobsBefore(file).map(old => ({ path: file.path, old, new: file.after?.id ?? null })),
      )
      const sealed = await sealMove(
        { disk, repo, area, folder: known, refs },
        index,
        {
          from,
          to,
          atMs,
          objects: [],
          files,
          ...toldTo(intents, [
            { id, atMs, actor: 'machine', route: reason, commit: to, parent: from, state: 'prepared', paths },
          ]),
        },
        superseded,
      )
      return isLeft(sealed) ? sealed : right(await finished(sealed.right, [to]))
    })

  /** Takes no lock and changes nothing: a dry run asks it. */
  const dirty: Dirty = async (base, files) => {
    try {
      const known = await whereGitIs()
      if (!(await isOnBranch(known))) return left(detached)
      if (!(await standsAt(base))) return left({ _tag: 'Moved' })
      return right((await found(repo, { index: await standing(known, memory) }, files)).dirty)
    } catch (error) {
      return left(closedFailure(repo, failureOf(error)))
    }
  }

  const told = <A>(work: () => Promise<Either<LandingFailure, A>>): Promise<Either<LandingFailure, A>> =>
    inTurn(async () => {
      const gone = (await stands()) ? (stateStands() ? null : stateGoneWords) : goneWords
      const outcome = gone === null ? await work() : left({ _tag: 'Failed', reason: gone } as const)
      // A lock that a recovery left, for a git was alive that might hold it, may be nobody's by the next write.
      if (isLeft(outcome) && outcome.left._tag === 'Locked') isSound = false
      return mapLeft((failure: LandingFailure) => closedFailure(repo, failure))(outcome)
    })

  return {
    between: work => inTurn(() => work(dirty)),
    land: (asked, superseded) => told(() => land(asked, superseded)),
    advance: (asked, superseded) => told(() => advance(asked, superseded)),
    recover: () => told(recovered),
    stands,
    prove: () =>
      inTurn(async () => {
        if (!stateStands()) return stateGoneWords
        const reason = await proveDisk(disk, area, whereGitIs(), intents)
        return reason === null ? null : closedWords(repo, reason)
      }),
    close: () => {
      refs.close()
      batch.close()
    },
  }
}

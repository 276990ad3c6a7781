import { join } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { BlobId, CommitId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import type { Intent, Intents } from '#src/ports/intents.js'
import type { Batch, Draft, Landed, Landing, LandingFailure, Move, TouchedFile } from '#src/ports/landing.js'
import { type GitBatch, openGitBatch } from '../git-batch.js'
import { type Chain, chainOf } from './chain.js'
import { type Disk, diskRefusal, realDisk } from './disk.js'
import { type GitFolder, gitFolder } from './git-folder.js'
import { stagedIn } from './index-file.js'
import { type HeldIndex, holdIndex } from './index-lock.js'
import { isAncestor } from './ref-updater.js'
import { type MovedFile, type Seal, sealMove } from './seal.js'
import { treeDiff } from './tree-diff.js'
import { type Lying, lyingAt, stands } from './work-tree.js'

export interface LandingOptions {
  readonly repo: string
  /** Where a landing tells what it is about to do; null where nobody asks after a crash. */
  readonly intents: Intents | null
  readonly disk?: Disk
  /** Pauses between tries to take git's lock on the index from a person. */
  readonly lockWaitsMs?: ReadonlyArray<number>
}

/** A landing with the child that reads objects for it. */
export type OpenLanding = Landing & { readonly close: () => void }

const defaultWaitsMs = [10, 20, 50, 100, 200, 400, 800, 1600]

interface Found {
  readonly lying: ReadonlyMap<RepoPath, Lying>
  /** Files that hold work of a person that no commit has. */
  readonly dirty: ReadonlySet<RepoPath>
}

/** Compares index and work tree with what the commit has at these paths (D4). */
const found = async (
  repo: string,
  { index }: HeldIndex,
  files: ReadonlyArray<TouchedFile>,
): Promise<Found> => {
  const inIndex = stagedIn(index)
  const lying = new Map<RepoPath, Lying>()
  const dirty = new Set<RepoPath>()
  await Promise.all(
    files.map(async ({ path, before }) => {
      const there = await lyingAt(repo, path)
      const entry = inIndex(path)
      const isStaged = entry === null ? before !== null : entry.stage > 0 || entry.id !== before
      lying.set(path, there)
      if (isStaged || !stands(there, before)) dirty.add(path)
    }),
  )
  return { lying, dirty }
}

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

/** What each commit of the chain does to each file, from what the one before it left. */
const intentsOf = (
  { base, files, atMs }: Batch,
  drafts: ReadonlyArray<Draft>,
  chain: Chain,
): ReadonlyArray<Intent> => {
  const now = new Map(files.map(({ path, before }) => [path, before]))
  return drafts.flatMap(({ intent: id, actor, route }, at) => {
    const commit = chain.commits[at]
    if (commit === undefined) return []
    const paths = [...(chain.files[at] ?? [])].map(([path, blob]) => {
      const old = now.get(path) ?? null
      now.set(path, blob?.id ?? null)
      return { path, old, new: blob?.id ?? null }
    })
    const parent = chain.commits[at - 1] ?? base
    return [{ id, atMs, actor, route, commit, parent, state: 'prepared', paths }]
  })
}

const told = (intents: Intents | null, batch: ReadonlyArray<Intent>): Pick<Seal, 'announce' | 'settle'> => ({
  announce: () => intents?.prepare(batch),
  settle: state => {
    intents?.settle(
      batch.map(({ id }) => id),
      state,
    )
  },
})

const failureOf = (error: unknown): LandingFailure => {
  const reason = diskRefusal(error)
  if (reason !== null) return { _tag: 'Disk', reason }
  return { _tag: 'Failed', reason: error instanceof Error ? error.message : String(error) }
}

/** Lands commits in a checkout with git's own locks, objects and index (ARCHITECTURE "Writing", ADR 0100). */
export const openLanding = ({
  repo,
  intents,
  disk = realDisk,
  lockWaitsMs = defaultWaitsMs,
}: LandingOptions): OpenLanding => {
  const batch: GitBatch = openGitBatch(repo)
  const area = join(repo, '.svc/state/checkout')
  let folder: Promise<GitFolder> | null = null
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }

  /** Asked under the lock, for what lies dirty is told against what HEAD has. */
  const standsAt = async (commit: CommitId | null): Promise<boolean> =>
    ((await batch.object('HEAD^{commit}'))?.id ?? null) === commit

  const held = async <A>(
    base: CommitId | null,
    work: (held: HeldIndex, folder: GitFolder) => Promise<Either<LandingFailure, A>>,
  ): Promise<Either<LandingFailure, A>> => {
    try {
      folder = folder ?? gitFolder(repo)
      const known = await folder
      const index = await holdIndex(disk, known, lockWaitsMs)
      if (index === null) return left({ _tag: 'Locked', lock: `${known.index}.lock` })
      try {
        return (await standsAt(base)) ? await work(index, known) : left({ _tag: 'Moved' })
      } finally {
        await index.release()
      }
    } catch (error) {
      return left(failureOf(error))
    }
  }

  const land = (asked: Batch, superseded: AbortSignal): Promise<Either<LandingFailure, Landed>> =>
    held(asked.base, async (index, known) => {
      const lies = await found(repo, index, asked.files)
      const drafts = asked.compose(lies.dirty)
      if (drafts.length === 0) return right({ commits: [], left: [] })
      const chain = await chainOf(batch, asked.base, drafts, asked.atMs)
      const to = chain.commits.at(-1)
      if (to === undefined) throw new Error('a draft makes a commit')
      const sealed = await sealMove(
        { disk, repo, area, folder: known },
        index,
        {
          from: asked.base,
          to,
          reason: `kronika: ${drafts.length === 1 ? (drafts[0]?.route ?? '') : `${drafts.length} writes`}`,
          objects: chain.objects,
          files: movedFiles(asked, chain, lies),
          ...told(intents, intentsOf(asked, drafts, chain)),
        },
        superseded,
      )
      return isLeft(sealed) ? sealed : right({ commits: chain.commits, left: sealed.right.left })
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
      const lies = await found(repo, index, differing)
      if (lies.dirty.size > 0) return left({ _tag: 'Dirty', files: [...lies.dirty].sort() })
      const files = await Promise.all(
        differing.map(
          async ({ path, before, after }): Promise<MovedFile> => ({
            path,
            before,
            after: after === null ? null : { ...after, bytes: await blobOf(after.id) },
            lying: lies.lying.get(path) ?? { _tag: 'Absent' },
          }),
        ),
      )
      const paths = differing.map(({ path, before, after }) => ({
        path,
        old: before,
        new: after?.id ?? null,
      }))
      const sealed = await sealMove(
        { disk, repo, area, folder: known },
        index,
        {
          from,
          to,
          reason: `kronika: ${reason}`,
          objects: [],
          files,
          ...told(intents, [
            { id, atMs, actor: 'machine', route: reason, commit: to, parent: from, state: 'prepared', paths },
          ]),
        },
        superseded,
      )
      return isLeft(sealed) ? sealed : right({ commits: [to], left: sealed.right.left })
    })

  return {
    land: (asked, superseded) => inTurn(() => land(asked, superseded)),
    advance: (asked, superseded) => inTurn(() => advance(asked, superseded)),
    close: batch.close,
  }
}

import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { BlobId, CommitId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import { openGitBatch } from '#src/adapters/git/git-batch.js'
import type { Draft, LandingFailure } from '#src/ports/git/landing.js'
import { found } from './checkout/dirty.js'
import { realDisk } from './disk.js'
import { detached, failureOf } from './failure.js'
import { gitFolder, isOnBranch } from './git-folder.js'
import type { HeldIndex } from './index/index-lock.js'
import { chainOf } from './objects/chain.js'
import { sealMove } from './objects/seal.js'
import { holdPlainly } from './refs/plain-lock.js'
import { openRefUpdater } from './refs/ref-updater.js'

/** A file as the commit has it. */
export interface CommittedFile {
  readonly blob: BlobId
  readonly bytes: Buffer
}

/** The next bytes of one file, decided on what the commit has there; null: nothing is to be committed. */
export interface FileCommit {
  readonly path: RepoPath
  readonly compose: (
    before: CommittedFile | null,
  ) => { readonly bytes: Buffer; readonly draft: Omit<Draft, 'after'> } | null
  readonly atMs: number
}

/** The commit that stands; `behind` where index and work tree still have what was there before. */
export interface CommittedBeside {
  readonly commit: CommitId
  readonly behind: boolean
}

const waitsMs = [20, 50, 100, 200, 400, 800, 1600]

/**
 * Commits one file beside a daemon that may be at work in the checkout, as a person with git does: under git's lock
 * on the index, by compare-and-swap of the branch, durably (F2); `Moved` where somebody moved it without the lock.
 * Work of a person at other paths stays as it is, staged or not; at this path it is `Dirty`, and nothing is done.
 */
export const commitBeside = async (
  repo: string,
  { path, compose, atMs }: FileCommit,
): Promise<Either<LandingFailure, CommittedBeside | null>> => {
  const area = join(repo, '.svc/state/beside')
  const batch = openGitBatch(repo)
  const refs = openRefUpdater(repo)

  const fileAt = async (revision: string): Promise<CommittedFile | null> => {
    const object = await batch.object(revision)
    const blob = BlobId.decode(object?.id)
    return object?.type === 'blob' && !isLeft(blob) ? { blob: blob.right, bytes: object.bytes } : null
  }

  const committed = async (
    held: HeldIndex,
    folder: Awaited<ReturnType<typeof gitFolder>>,
  ): Promise<Either<LandingFailure, CommittedBeside | null>> => {
    if (!(await isOnBranch(folder))) return left(detached)
    const base = CommitId.decode((await batch.object('HEAD^{commit}'))?.id)
    if (isLeft(base)) return left({ _tag: 'Failed', reason: 'there is no commit yet: commit the lore first' })
    const file = await fileAt(`${base.right}:${path}`)
    const before = file?.blob ?? null
    const { dirty, lying } = await found(repo, held, [{ path, before }])
    if (dirty.size > 0) return left({ _tag: 'Dirty', files: [...dirty] })
    const next = compose(file)
    if (next === null) return right(null)
    const draft = { ...next.draft, after: new Map([[path, next.bytes]]) }
    const chain = await chainOf(batch, base.right, [draft], atMs)
    const [commit] = chain.commits
    const blob = chain.files[0]?.get(path)
    if (commit === undefined || blob === undefined || blob === null) throw new Error('a draft makes a commit')
    const sealed = await sealMove(
      { disk: realDisk, repo, area, folder, refs },
      held,
      {
        from: base.right,
        to: commit,
        objects: chain.objects,
        files: [
          {
            path,
            before,
            after: { mode: null, id: blob.id, bytes: blob.content },
            lying: lying.get(path) ?? { _tag: 'Absent' },
          },
        ],
        atMs,
        announce: () => undefined,
        settle: () => undefined,
      },
      new AbortController().signal,
    )
    if (isLeft(sealed)) return sealed
    return right({ commit, behind: sealed.right.unfinished !== null || sealed.right.left.length > 0 })
  }

  try {
    const folder = await gitFolder(repo)
    const held = await holdPlainly(realDisk, folder, waitsMs)
    if (held === null) return left({ _tag: 'Locked', lock: `${folder.index}.lock` })
    try {
      return await committed(held, folder)
    } finally {
      await held.release()
      // A daemon may have files of its own waiting there: then the folder is not empty, and stays.
      await rmdir(area).catch(() => undefined)
    }
  } catch (error) {
    return left(failureOf(error))
  } finally {
    refs.close()
    batch.close()
  }
}

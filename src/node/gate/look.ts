import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId, RepoPath } from '#protocol/atoms.js'
import type { CheckoutView, LookAtCheckout, ServedFile, TreeSource } from '#src/ports/git.js'
import type { HeadFiles, Landing, LandingBusy, LandingFailure, TouchedFile } from '#src/ports/landing.js'

export type Looking = Pick<Landing, 'look' | 'ended'>

/**
 * Looks at the checkout. `dirty` is null where HEAD does not name `commit` before and after the look: index
 * and work tree then belong to another commit, and a file that it changed would look dirty.
 */
export const lookAtCommit = (look: LookAtCheckout, head: TreeSource['head']): LookAtCommit => {
  const isHead = async (commit: CommitId | null): Promise<boolean> => {
    try {
      return (await head()).commit === commit
    } catch {
      // The load of the commit reports an unreadable HEAD.
      return false
    }
  }
  return async (commit, files) => {
    const wasHead = await isHead(commit)
    const found = await look(files)
    return wasHead && (await isHead(commit)) ? found : { ...found, dirty: null }
  }
}

/** Where a look for a person's uncommitted work looks. */
export interface LookPorts {
  readonly landing: Pick<Landing, 'look' | 'ended'>
  /** Returns what HEAD has at the paths at this moment; null where HEAD cannot be read. */
  readonly headFiles: (paths: ReadonlyArray<RepoPath>) => Promise<HeadFiles | null>
}

/** The files of a look as HEAD has them, and those that hold a person's uncommitted work. */
export interface HeadLook {
  readonly files: ReadonlyArray<TouchedFile>
  readonly dirty: ReadonlySet<RepoPath>
}

/** Why a look gave no result. */
export type LookFailure =
  | Exclude<LandingFailure, { readonly _tag: 'Moved' }>
  /** HEAD moved, or this host wrote, during each of the looks. */
  | { readonly _tag: 'Disturbed'; readonly by: 'this host' | 'another program' }
  | { readonly _tag: 'NoHead' }

/**
 * Finds the dirty files among the paths by comparison with the commit that HEAD names now, between two
 * landings of this host. It does not matter on which commit a plan was made.
 */
export const lookAtHead = async (
  { landing, headFiles }: LookPorts,
  paths: ReadonlyArray<RepoPath>,
): Promise<Either<LookFailure, HeadLook>> => {
  let by: 'this host' | 'another program' = 'another program'
  for (let looks = 0; looks < looksMax; looks += 1) {
    await landing.ended()
    const head = await headFiles(paths)
    if (head === null) return left({ _tag: 'NoHead' })
    const found = await landing.look(head.commit, head.files)
    if (found._tag === 'Right') return right({ files: head.files, dirty: found.right })
    if (found.left._tag === 'Busy') by = 'this host'
    else if (found.left._tag !== 'Moved') return left(found.left)
  }
  return left({ _tag: 'Disturbed', by })
}

/**
 * Finds the dirty files between two landings of this host, so that a running write does not look like a
 * person's work. Looks again after each landing that intervened.
 */
export const lookBetween = async (
  { look, ended }: Looking,
  base: CommitId | null,
  files: ReadonlyArray<TouchedFile>,
): Promise<Either<LandingFailure, ReadonlySet<RepoPath>>> => {
  for (let looks = 0; looks < busyMax; looks += 1) {
    const found: Either<LandingFailure | LandingBusy, ReadonlySet<RepoPath>> = await look(base, files)
    if (!isLeft(found)) return found
    if (found.left._tag !== 'Busy') return left(found.left)
    await ended()
  }
  return left({ _tag: 'Failed', reason: 'writes of this host came in between each time' })
}

/** Looks at the checkout; `files` are those of `commit`. */
type LookAtCommit = (commit: CommitId | null, files: ReadonlyArray<ServedFile>) => Promise<CheckoutView>

/** The most looks that may be disturbed. Each waits until no landing of this host is under way. */
const looksMax = 32

/** The most landings of this host that may intervene before a look gives up. */
const busyMax = 32

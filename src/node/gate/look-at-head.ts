import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId, RepoPath } from '#protocol/atoms.js'
import type { TreeSource } from '#src/ports/git.js'
import type { Landing, LandingFailure, TouchedFile } from '#src/ports/landing.js'

/** Files as the commit of HEAD has them. */
export interface HeadFiles {
  readonly commit: CommitId | null
  readonly files: ReadonlyArray<TouchedFile>
}

export interface LookParts {
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

/** The most looks that may be disturbed. Each waits until no landing of this host is under way. */
const looksMax = 32

/**
 * Finds the dirty files among the paths by comparison with the commit that HEAD names now, between two
 * landings of this host. It does not matter on which commit a plan was made.
 */
export const lookAtHead = async (
  { landing, headFiles }: LookParts,
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

/** Reads from a checkout what HEAD has at paths. */
export const headFilesIn =
  (source: Pick<TreeSource, 'head' | 'listAt'>): LookParts['headFiles'] =>
  async paths => {
    try {
      const head = await source.head()
      const { entries } = await source.listAt(head, paths)
      const blobs = new Map(entries.map(({ path, blob }) => [path, blob] as const))
      return { commit: head.commit, files: paths.map(path => ({ path, before: blobs.get(path) ?? null })) }
    } catch {
      // The load of the commit reports an unreadable HEAD.
      return null
    }
  }
